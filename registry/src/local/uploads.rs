//! Files that clients upload one by one, until a publication takes them. A client may send each request
//! to another server.
//!
//! A file is known by its person and its digest. It stays after its publication, so that a client that
//! lost the answer can publish again.

use std::time::Duration;

use data_encoding::BASE64;

use super::{LocalError, LocalStore, Mode, Place, Record, Space, Transaction};
use crate::fair_share::{Held, Owner, gives_way};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// The contents in base64: the keys are `{person}/{sha256}`.
pub(super) const UPLOADS: Space = Space::new("uploads.1");
/// The size of each, under the same key: contents are not read to add up sizes.
pub(super) const UPLOAD_SIZES: Space = Space::new("upload_sizes.1");

/// How long a file waits for its publication. It is removed within a minute after that.
pub const UPLOAD_TTL: Duration = Duration::from_secs(15 * 60);

/// Limits on the files that wait, in bytes. Each file counts [`UploadLimits::OVERHEAD`] more than its
/// content.
#[derive(Debug, Clone, Copy)]
pub struct UploadLimits {
    /// The limit of one person, who loses the oldest file for a new one.
    pub of_person: u64,
    /// The limit of all people together. Those who hold most lose their oldest files.
    pub of_all: u64,
}

/// A file that waits.
struct Waiting {
    ends_at: Option<i64>,
    key: String,
    owner: Owner,
    size: u64,
}

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
        let (sha256, size) = (Digest::of(content), content.len() as u64 + UploadLimits::OVERHEAD);
        let [content_at, size_at] = places(&key(person, &sha256));
        let ends_at = now.plus(UPLOAD_TTL).as_unix();
        let new = [
            Record::new(content_at, &BASE64.encode(content))?.expiring(ends_at),
            Record::new(size_at, &size)?.expiring(ends_at),
        ];
        // Two servers that add up at the same time would both find room for the last one. A client can send a file
        // again, so nothing waits for the disk.
        let is_kept = self.run(Mode::Write { lock: Some(UPLOADS), is_durable: false }, |records| {
            records.delete_expired(now.as_unix())?;
            let mut waiting = waiting(records)?;
            waiting.retain(|file| file.key != new[0].place.1);
            let Some(gone) = limits.make_room(waiting, &Owner::of_person(person), size) else {
                return Ok(false);
            };
            records.delete(&gone.iter().flat_map(|key| places(key)).collect::<Vec<_>>())?;
            records.put(&new).map(|()| true)
        })?;
        Ok(is_kept.then_some(sha256))
    }

    /// The content of a file that `person` has uploaded. `None` if the person has not uploaded it, or if it
    /// was deleted to make room for others.
    pub fn upload(&self, person: &Handle, sha256: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        let place = (UPLOADS, key(person, sha256));
        let found = self.single(|records| records.get(std::slice::from_ref(&place)))?.pop().flatten();
        let content = found.map(|record| {
            let content: String = record.read()?;
            BASE64.decode(content.as_bytes()).map_err(|_| record.damaged())
        });
        content.transpose()
    }
}

impl UploadLimits {
    /// Bytes that a file takes beside its content.
    pub const OVERHEAD: u64 = 4096;

    /// The keys of the files that make room for one of `size` bytes, of those that wait, the oldest first. None if
    /// there is no room.
    fn make_room(self, mut waiting: Vec<Waiting>, newcomer: &Owner, size: u64) -> Option<Vec<String>> {
        let mut gone = Vec::new();
        loop {
            let sum = |files: &mut dyn Iterator<Item = &Waiting>| files.map(|file| file.size).sum::<u64>();
            let own = sum(&mut waiting.iter().filter(|file| file.owner == *newcomer));
            let oldest = if own > 0 && own + size > self.of_person {
                waiting.iter().position(|file| file.owner == *newcomer)?
            } else if sum(&mut waiting.iter()) + size <= self.of_all {
                return Some(gone);
            } else {
                let held = waiting.iter().enumerate();
                let held =
                    held.map(|(id, file)| Held { owner: &file.owner, amount: file.size, id: Some(id) });
                gives_way(newcomer, size, held)?
            };
            gone.push(waiting.remove(oldest).key);
        }
    }
}

/// The files that wait, the oldest first.
fn waiting(records: &mut dyn Transaction) -> Result<Vec<Waiting>, LocalError> {
    let mut waiting = Vec::new();
    for record in records.all(UPLOAD_SIZES, "")? {
        let size = record.read()?;
        let (_, key) = record.place;
        let owner = Owner::unrelated(key.split('/').next().unwrap_or_default().to_owned());
        waiting.push(Waiting { ends_at: record.expires, key, owner, size });
    }
    waiting.sort_by(|a, b| (a.ends_at, &a.key).cmp(&(b.ends_at, &b.key)));
    Ok(waiting)
}

fn key(person: &Handle, sha256: &Digest) -> String {
    format!("{person}/{sha256}")
}

fn places(key: &str) -> [Place; 2] {
    [(UPLOADS, key.to_owned()), (UPLOAD_SIZES, key.to_owned())]
}
