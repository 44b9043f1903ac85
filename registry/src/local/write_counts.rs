//! Counting the writes of a person or client.

use super::{LocalError, LocalStore, WriteCount, WriteLimit};
use crate::names::Digest;

impl LocalStore {
    /// Counts a write of `key`, which is stored as its digest. In PostgreSQL the limit holds for all
    /// servers together, otherwise for this process.
    pub fn count_write(&self, key: &str, limit: WriteLimit) -> Result<WriteCount, LocalError> {
        self.backend.count_write(&Digest::of(key.as_bytes()), limit)
    }
}
