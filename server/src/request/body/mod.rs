//! Request bodies, JSON bodies, and forms of pages.

mod form;
mod json;
mod stream;

pub(crate) use self::form::{FormFields, form, form_or_json};

pub(crate) use self::json::{announced_length, collect, refuse_coding};
pub use self::json::{json, json_text};
pub use self::stream::{Body, BodyError};
