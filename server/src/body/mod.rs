//! Request bodies, and JSON in them.

mod json;
mod stream;

pub use self::json::json;
pub use self::stream::{Body, BodyError};
