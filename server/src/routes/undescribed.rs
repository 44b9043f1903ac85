//! Builds without the feature `openapi` drop the descriptions of routes. With
//! it, these methods are in `openapi/description.rs`.

use serde_json::Value;

use super::Route;
use crate::problem::Code;

impl Route {
    pub(super) fn describe(self, _operation_id: &str, _summary: &str) -> Self {
        self
    }

    pub(super) fn paged(self) -> Self {
        self
    }

    pub(super) fn page_number(self) -> Self {
        self
    }

    pub(super) fn query<T>(self, _name: &str, _about: &str) -> Self {
        self
    }

    pub(super) fn query_value(self, _name: &str, _about: &str, _schema: fn() -> Value) -> Self {
        self
    }

    pub(super) fn required_query<T>(self, _name: &str, _about: &str) -> Self {
        self
    }

    pub(super) fn body<T>(self) -> Self {
        self
    }

    pub(super) fn optional_body<T>(self) -> Self {
        self
    }

    pub(super) fn form<T>(self) -> Self {
        self
    }

    pub(super) fn replies<T>(self, _status: u16) -> Self {
        self
    }

    pub(super) fn replies_zip(self) -> Self {
        self
    }

    pub(super) fn replies_binary(self) -> Self {
        self
    }

    pub(super) fn replies_nothing(self) -> Self {
        self
    }

    pub(super) fn fails(self, _problems: &[Code]) -> Self {
        self
    }

    pub(super) fn waits_for_tree(self) -> Self {
        self
    }

    pub(super) fn sets_cookie(self) -> Self {
        self
    }
}
