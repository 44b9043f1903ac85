//! Files that clients upload one by one, until a publication takes them. A client may send each request
//! to another server.
//!
//! A file is known by its person and its digest. It stays after its publication, so that a client that
//! lost the answer can publish again.

use std::time::Duration;

use super::{LocalError, LocalStore, NewUpload, UploadLimits};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// How long a file waits for its publication. It is removed within a minute after that.
pub const UPLOAD_TTL: Duration = Duration::from_secs(15 * 60);

impl LocalStore {
    /// Keeps a file for a publication by `person`. Returns its digest, or `None` if there is no room and
    /// nobody holds more than this person.
    pub fn keep_upload(
        &self,
        person: &Handle,
        content: &[u8],
        limits: UploadLimits,
        now: Timestamp,
    ) -> Result<Option<Digest>, LocalError> {
        self.forget_uploads(now)?;
        let (sha256, ends_at) = (Digest::of(content), now.plus(UPLOAD_TTL));
        let upload = NewUpload { person, sha256: &sha256, content, ends_at, limits };
        Ok(self.backend.keep_upload(&upload)?.then_some(sha256))
    }

    /// The content of a file that `person` has uploaded. `None` if there is none, or if it made room
    /// for others.
    pub fn upload(&self, person: &Handle, sha256: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        self.backend.upload(person, sha256)
    }

    /// Removes the files that have waited long enough.
    pub(super) fn forget_uploads(&self, now: Timestamp) -> Result<(), LocalError> {
        self.backend.forget_uploads(now.as_unix())
    }
}
