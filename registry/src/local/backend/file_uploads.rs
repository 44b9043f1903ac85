//! Uploads of single files, as a store keeps them.

use crate::local::LocalError;
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// A file that a person is going to upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnnouncedFile {
    /// The person.
    pub person: Handle,
    /// The path in the package.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// The digest of the content.
    pub sha256: Digest,
}

/// An upload to announce.
#[derive(Debug, Clone, Copy)]
pub struct NewFileUpload<'a> {
    /// The digest of its ticket.
    pub ticket: &'a Digest,
    /// The file.
    pub file: &'a AnnouncedFile,
    /// The end, published or not.
    pub ends_at: Timestamp,
    /// The limits that it has to meet.
    pub limits: FileUploadLimits,
}

/// Limits on announced files, whether they have been sent or not. Published ones do not count.
#[derive(Debug, Clone, Copy)]
pub struct FileUploadLimits {
    /// Bytes of one person.
    pub person_bytes: u64,
    /// Files of one person.
    pub person_files: u64,
    /// Bytes of all people.
    pub bytes: u64,
    /// Files of all people. Together with the answers of publications there may be twice as many.
    pub files: u64,
}

/// What is announced already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileUploadUsage {
    /// Bytes of the person.
    pub person_bytes: u64,
    /// Files of the person.
    pub person_files: u64,
    /// Bytes of all people.
    pub bytes: u64,
    /// Files of all people.
    pub files: u64,
    /// Files of all people, and answers of publications.
    pub entries: u64,
}

/// The limit that refuses a new upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadsFull {
    /// That of the person.
    OfPerson,
    /// That of all people together.
    OfAll,
}

impl FileUploadUsage {
    /// The limit that another file of `size` bytes would exceed.
    pub fn exceeded(&self, limits: &FileUploadLimits, size: u64) -> Option<UploadsFull> {
        let is_above = |bytes: u64, max: u64| bytes.saturating_add(size) > max;
        if is_above(self.person_bytes, limits.person_bytes) || self.person_files >= limits.person_files {
            return Some(UploadsFull::OfPerson);
        }
        let is_full = is_above(self.bytes, limits.bytes)
            || self.files >= limits.files
            || self.entries >= limits.files.saturating_mul(2);
        is_full.then_some(UploadsFull::OfAll)
    }
}

/// An upload as it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredFileUpload {
    /// The digest of its ticket, in hex.
    pub ticket: String,
    /// The person.
    pub person: String,
    /// The path in the package.
    pub path: String,
    /// Bytes.
    pub size: u64,
    /// The digest of the content, in hex.
    pub sha256: String,
    /// The end (Unix seconds).
    pub ends_at: i64,
    /// Whether the content was sent.
    pub has_content: bool,
    /// The answer to the publication, after it.
    pub answer: Option<String>,
}

/// Uploads of single files that wait for the publication which takes them.
pub trait FileUploads: Send + Sync {
    /// Announces an upload. Returns the limit that it would exceed instead, and changes nothing then.
    fn announce_file(&self, upload: &NewFileUpload<'_>) -> Result<Option<UploadsFull>, LocalError>;

    /// The uploads with these tickets, in any order.
    fn file_uploads(&self, tickets: &[Digest]) -> Result<Vec<StoredFileUpload>, LocalError>;

    /// Stores the content of an announced file, also instead of an earlier one. Returns false, and
    /// stores nothing, if the ticket is unknown or its file was published.
    fn store_file(&self, ticket: &Digest, content: &[u8]) -> Result<bool, LocalError>;

    /// The content of a file, if it was sent and not published yet.
    fn file_content(&self, ticket: &Digest) -> Result<Option<Vec<u8>>, LocalError>;

    /// Ends the uploads of a publication, and removes their contents. The answer stays with the
    /// first ticket.
    fn finish_files(&self, tickets: &[Digest], answer: &str) -> Result<(), LocalError>;

    /// Removes all uploads that end at `until` (Unix seconds) or before, with their contents.
    fn forget_files(&self, until: i64) -> Result<(), LocalError>;
}
