//! Request bodies, and JSON bodies.

mod json;
mod stream;

pub use self::json::json;
pub(crate) use self::json::{announced_length, refuse_coding};
pub use self::stream::{Body, BodyError};
