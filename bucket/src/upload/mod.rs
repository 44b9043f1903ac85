//! Keeps the bucket up to date with the folder.

mod batch;
mod changes;
mod comparison;
mod engine;
mod once;
mod put;
mod requests;
mod shown;
mod step;
mod turn;
mod uploader;

pub use self::batch::Batch;
pub use self::changes::Changes;
pub use self::engine::{Engine, Round};
pub use self::once::{ShownTree, check_claim, upload};
pub(crate) use self::requests::{REQUESTS_AT_ONCE, normal_etag};
pub use self::uploader::Uploader;
