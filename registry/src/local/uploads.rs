//! Files that clients upload one by one, until a publication takes them. A client may announce a file
//! on one server, send its bytes to another, and publish on a third.
//!
//! A ticket is bound to a person, a path, a size and a digest. It is stored as its digest.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::{
    AnnouncedFile, FileUploadLimits, LocalError, LocalStore, NewFileUpload, StoredContent, StoredFileUpload,
    UploadsFull,
};
use crate::names::{Digest, Handle};
use crate::random::random_base32;
use crate::time::Timestamp;

/// How long an upload waits for its publication. Its content is removed within a minute after that.
pub const UPLOAD_TTL: Duration = Duration::from_secs(15 * 60);

/// Tickets that are looked up together.
const CHUNK: usize = 1000;

/// Why a ticket cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnusableTicket {
    /// Nobody may publish with it: there is no such ticket, it has expired, the publication names it twice, or it was
    /// made for another person or another file.
    Unknown,
    /// Its file has not been uploaded.
    NotStored,
}

/// The uploads of a publication.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CollectedFiles {
    /// All are there. [`LocalStore::uploaded_file`] reads their contents.
    Stored,
    /// They were published already. This was the answer.
    Published(String),
}

impl LocalStore {
    /// Makes a ticket for a file, or tells which limit it would exceed.
    ///
    /// Errors: also if the system has no random numbers.
    pub fn announce_file(
        &self,
        file: &AnnouncedFile,
        limits: FileUploadLimits,
        now: Timestamp,
    ) -> Result<Result<String, UploadsFull>, LocalError> {
        self.forget_files(now)?;
        let ticket = random_base32::<32>()?;
        let (digest, ends_at) = (digest_of(&ticket), now.plus(UPLOAD_TTL));
        let upload = NewFileUpload { ticket: &digest, file, ends_at, limits };
        Ok(match self.backend.announce_file(&upload)? {
            None => Ok(ticket),
            Some(full) => Err(full),
        })
    }

    /// The file that a person may upload with a ticket.
    pub fn announced_file(
        &self,
        ticket: &str,
        person: &Handle,
        now: Timestamp,
    ) -> Result<Option<AnnouncedFile>, LocalError> {
        let found = self.backend.file_uploads(&[digest_of(ticket)])?.pop();
        let is_usable = |upload: &StoredFileUpload| {
            upload.person == person.as_str() && upload.ends_at > now.as_unix() && upload.answer.is_none()
        };
        let Some(StoredFileUpload { path, size, sha256, .. }) = found.filter(is_usable) else {
            return Ok(None);
        };
        let damaged = |_| LocalError::Damaged("an upload has an invalid sha256".into());
        let sha256 = sha256.parse().map_err(damaged)?;
        Ok(Some(AnnouncedFile { person: person.clone(), path, size, sha256 }))
    }

    /// Keeps the content of a file for the publication. A repeated upload replaces the first. If more
    /// than `max_bytes` wait to be published then, people who have sent more lose their oldest uploads.
    pub fn store_file(
        &self,
        ticket: &str,
        content: &[u8],
        max_bytes: u64,
    ) -> Result<StoredContent, LocalError> {
        self.backend.store_file(&digest_of(ticket), content, max_bytes)
    }

    /// Checks the tickets of a publication. They stay, so that a refused one can be repeated. The
    /// inner error has the path of the file.
    pub fn collect_files(
        &self,
        files: &[(String, AnnouncedFile)],
        now: Timestamp,
    ) -> Result<Result<CollectedFiles, (String, UnusableTicket)>, LocalError> {
        // A file that is named many times would be read as often.
        let mut seen = HashSet::new();
        for chunk in files.chunks(CHUNK) {
            let tickets: Vec<_> = chunk.iter().map(|(ticket, _)| digest_of(ticket)).collect();
            let found = self.backend.file_uploads(&tickets)?.into_iter();
            let found: HashMap<_, _> = found.map(|upload| (upload.ticket.clone(), upload)).collect();
            for (ticket, (_, file)) in tickets.into_iter().zip(chunk) {
                let usable = found.get(&ticket.to_string()).filter(|upload| upload.is_of(file, now));
                let why = match usable {
                    Some(StoredFileUpload { answer: Some(answer), .. }) if seen.is_empty() => {
                        return Ok(Ok(CollectedFiles::Published(answer.clone())));
                    }
                    Some(StoredFileUpload { answer: None, has_content: true, .. }) if seen.insert(ticket) => {
                        continue;
                    }
                    Some(StoredFileUpload { answer: None, has_content: false, .. }) => {
                        UnusableTicket::NotStored
                    }
                    _ => UnusableTicket::Unknown,
                };
                return Ok(Err((file.path.clone(), why)));
            }
        }
        Ok(Ok(CollectedFiles::Stored))
    }

    /// The content of a collected file. None if its ticket has ended meanwhile.
    pub fn uploaded_file(&self, ticket: &str) -> Result<Option<Vec<u8>>, LocalError> {
        self.backend.file_content(&digest_of(ticket))
    }

    /// Ends the tickets of a publication, and removes the contents of their files. Keeps the answer for
    /// clients that lost it, with the first ticket.
    pub fn finish_files<'a>(
        &self,
        tickets: impl Iterator<Item = &'a str>,
        answer: &str,
    ) -> Result<(), LocalError> {
        self.backend.finish_files(&tickets.map(digest_of).collect::<Vec<_>>(), answer)
    }

    /// Removes what nobody has published in time.
    pub(super) fn forget_files(&self, now: Timestamp) -> Result<(), LocalError> {
        self.backend.forget_files(now.as_unix())
    }
}

impl StoredFileUpload {
    /// Whether the upload is that of `file` and has not ended.
    fn is_of(&self, file: &AnnouncedFile, now: Timestamp) -> bool {
        let AnnouncedFile { person, path, size, sha256 } = file;
        self.person == person.as_str()
            && (&self.path, self.size) == (path, *size)
            && self.sha256 == sha256.to_string()
            && self.ends_at > now.as_unix()
    }
}

fn digest_of(ticket: &str) -> Digest {
    Digest::of(ticket.as_bytes())
}
