//! The signed history of a registry: which keys are trusted, and whether a version is in the log
//! that they have signed.
//!
//! [`TrustedRegistries`] keeps the keys and the last checkpoint of each log. [`SignedHistory`]
//! checks a version: the checkpoint's signature, that its log continues the last one, and that it
//! has the row of the version. `docs/mirrors.md` specifies the files.

mod check;
mod error;
mod progress;
mod trusted;

pub use check::{ProvedVersion, SignedHistory, published_keys};
pub use error::HistoryError;
pub use trusted::TrustedRegistries;
