//! A public row as the journal stores it and as mirrors read it.

use super::redacted::digest_of;
use crate::names::Digest;

/// The number of a row. The first is 1, and each row's is the previous one's
/// plus 1. Only the restore of a backup skips numbers: those that rows after the
/// backup had. 0 means "before the first row".
pub type Revision = u64;

/// The random name of one history: 32 lower-case hexadecimal digits. A journal
/// gets one when it is created, and a new one when a backup is restored.
pub type Epoch = String;

/// The public half of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicRow {
    /// The row's number.
    pub revision: Revision,
    /// The stored public JSON, unchanged.
    pub json: String,
    /// The sha256 of the JSON, or of the one that the row had before it was redacted.
    pub digest: Digest,
}

impl PublicRow {
    /// Computes the digest of `json`.
    pub fn new(revision: Revision, json: String) -> Self {
        Self { revision, digest: digest_of(&json), json }
    }
}
