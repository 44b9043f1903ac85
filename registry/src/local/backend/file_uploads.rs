//! Uploads of single files, as a store keeps them.

use crate::fair_share::{Held, Owner, gives_way};
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

/// Limits on announced files. Published ones do not count.
#[derive(Debug, Clone, Copy)]
pub struct FileUploadLimits {
    /// Bytes that one person has announced, whether they have been sent or not.
    pub person_bytes: u64,
    /// Files that one person has announced.
    pub person_files: u64,
    /// Bytes that all people have sent.
    pub bytes: u64,
    /// Files that all people have announced. Together with the answers of publications there may be
    /// twice as many.
    pub files: u64,
}

/// What a person has announced already.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileUploadUsage {
    /// Bytes.
    pub bytes: u64,
    /// Files.
    pub files: u64,
}

/// The limit that refuses an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UploadsFull {
    /// That of the person.
    OfPerson,
    /// The limit of all people together, of whom nobody holds more than this person.
    OfAll,
}

impl FileUploadUsage {
    /// Whether another file of `size` bytes would exceed the person's limits.
    pub fn is_exceeded(&self, limits: &FileUploadLimits, size: u64) -> bool {
        self.bytes.saturating_add(size) > limits.person_bytes || self.files >= limits.person_files
    }
}

/// What a person holds of something that all people share, files or bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonUploads {
    /// The person.
    pub person: String,
    /// How much.
    pub amount: u64,
    /// The end (Unix seconds) and the ticket, in hex, of the oldest upload.
    pub oldest: (i64, String),
}

impl PersonUploads {
    /// Finds room for `amount` more below `max`. None if there is some already, otherwise the ticket of
    /// the upload that gives way. Fails if none does.
    pub fn room<'a>(
        all: &'a [Self],
        person: &str,
        amount: u64,
        max: u64,
    ) -> Result<Option<&'a str>, UploadsFull> {
        let held: u64 = all.iter().map(|one| one.amount).sum();
        if held.saturating_add(amount) <= max {
            return Ok(None);
        }
        let owners: Vec<_> = all.iter().map(|one| Owner::unrelated(one.person.clone())).collect();
        let held = all.iter().zip(&owners).map(|(one, owner)| Held {
            owner,
            amount: one.amount,
            id: Some(&one.oldest),
        });
        let oldest = gives_way(&Owner::unrelated(person.to_owned()), amount, held);
        oldest.map(|(_, ticket)| Some(ticket.as_str())).ok_or(UploadsFull::OfAll)
    }
}

/// What became of the content of an upload.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoredContent {
    /// The bytes are stored.
    Stored,
    /// The ticket is unknown, or its file was published.
    Unknown,
    /// There is no room, and nobody else has more. Nothing has changed.
    Full,
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
    /// Announces an upload. If all people have too many files, the person with most loses the oldest.
    /// Returns the limit that it would exceed instead, and changes nothing then.
    fn announce_file(&self, upload: &NewFileUpload<'_>) -> Result<Option<UploadsFull>, LocalError>;

    /// The uploads with these tickets, in any order.
    fn file_uploads(&self, tickets: &[Digest]) -> Result<Vec<StoredFileUpload>, LocalError>;

    /// Stores the content of an announced file, also instead of an earlier one. If all people together
    /// have sent more than `max_bytes` then, those who have sent most lose their oldest.
    fn store_file(
        &self,
        ticket: &Digest,
        content: &[u8],
        max_bytes: u64,
    ) -> Result<StoredContent, LocalError>;

    /// The content of a file, if it was sent and not published yet.
    fn file_content(&self, ticket: &Digest) -> Result<Option<Vec<u8>>, LocalError>;

    /// Ends the uploads of a publication, and removes their contents. The answer stays with the
    /// first ticket.
    fn finish_files(&self, tickets: &[Digest], answer: &str) -> Result<(), LocalError>;

    /// Removes all uploads that end at `until` (Unix seconds) or before, with their contents.
    fn forget_files(&self, until: i64) -> Result<(), LocalError>;
}
