//! Request bodies, and JSON in them.

mod json;
mod stream;

pub use self::json::json;
pub(crate) use self::json::{announced, refuse_coding};
pub use self::stream::{Body, BodyError};
