//! The ClawHub dialect below `/clawhub`: the API that the `clawhub` command line speaks.
//!
//! Its errors are one line of text ([`Problem::into_line`]), because its clients print them. Its
//! routes are not in the OpenAPI description.

mod body;
mod publish;
mod reads;
mod transfers;
mod writes;

pub(crate) use self::reads::answer;
use super::prelude::*;
use super::{Match, find};
#[cfg(feature = "openapi")]
use crate::reads::clawhub_address::MOUNT;
use crate::reads::clawhub_address::is_mounted;
use crate::request::Request;

pub(super) fn routes() -> Vec<Route> {
    let writes = writes::routes().into_iter().chain(publish::routes()).chain(transfers::routes());
    reads::routes().chain(writes).collect()
}

/// The problem for a request that a read-only server cannot answer: one that writes, or asks who calls.
/// `None` if the request is not in the dialect.
pub(crate) fn needs_own_server(request: &Request) -> Option<Problem> {
    let is_route = || matches!(find(&request.method, &request.path), Match::Found { .. });
    let is_ours = is_mounted(&request.path) || request.path.raw().starts_with("/api/cli/");
    let needs_it = is_ours && (!request.method.is_safe() || is_route());
    needs_it.then(|| {
        Problem::not_found(
            "This host is read-only: set CLAWHUB_REGISTRY to the URL of the registry's own server for this command.",
        )
    })
}

impl Route {
    /// Whether it belongs to this dialect, and not to the API that OpenAPI describes.
    #[cfg(feature = "openapi")]
    pub(crate) fn is_clawhub(&self) -> bool {
        self.path.split('/').nth(1) == Some(MOUNT)
    }
}
