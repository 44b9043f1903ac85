//! Files that wait for a publication, as a store keeps them.

use crate::fair_share::{Held, Owner, gives_way};
use crate::local::LocalError;
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// A file to keep.
#[derive(Debug, Clone, Copy)]
pub struct NewUpload<'a> {
    /// The person who may publish it.
    pub person: &'a Handle,
    /// The digest of the content.
    pub sha256: &'a Digest,
    /// The bytes.
    pub content: &'a [u8],
    /// The end, published or not.
    pub ends_at: Timestamp,
    /// The limits that it has to meet.
    pub limits: UploadLimits,
}

/// Limits on the files that wait, in bytes. Each file counts [`NewUpload::OVERHEAD`] more than its
/// content.
#[derive(Debug, Clone, Copy)]
pub struct UploadLimits {
    /// The limit of one person, who loses the oldest file for a new one.
    pub of_person: u64,
    /// The limit of all people together. Those who hold most lose their oldest files.
    pub of_all: u64,
}

impl NewUpload<'_> {
    /// Bytes that a file takes beside its content.
    pub const OVERHEAD: u64 = 4096;

    /// Bytes of the limits.
    pub fn size(&self) -> u64 {
        self.content.len() as u64 + Self::OVERHEAD
    }

    /// Looks for room for this file beside the files that all people hold.
    pub fn room<'a>(&self, all: &'a [PersonUploads]) -> Room<'a> {
        let own = all.iter().find(|one| one.person == self.person.as_str());
        if let Some(own) = own.filter(|own| own.size + self.size() > self.limits.of_person) {
            return Room::InsteadOf(own);
        }
        if all.iter().map(|one| one.size).sum::<u64>() + self.size() <= self.limits.of_all {
            return Room::Free;
        }
        let owners: Vec<_> = all.iter().map(|one| Owner::unrelated(one.person.clone())).collect();
        let held = owners.iter().zip(all).enumerate();
        let held = held.map(|(id, (owner, one))| Held { owner, amount: one.size, id: Some(id) });
        let gives_way = gives_way(&Owner::of_person(self.person), self.size(), held);
        gives_way.and_then(|id| all.get(id)).map_or(Room::Full, Room::InsteadOf)
    }
}

/// The files that a person holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PersonUploads {
    /// The person.
    pub person: String,
    /// Bytes of the limits.
    pub size: u64,
    /// The digest of the oldest file, in hex.
    pub oldest: String,
}

/// Where a new file finds room.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room<'a> {
    /// Beside the others.
    Free,
    /// After the oldest file of this person is removed, if that suffices.
    InsteadOf(&'a PersonUploads),
    /// Nowhere.
    Full,
}

/// Files that wait for the publication which takes them.
pub trait Uploads: Send + Sync {
    /// Keeps a file, which a person has once. Removes others for it: see [`NewUpload::room`]. Returns
    /// false if there is no room, and changes nothing then.
    fn keep_upload(&self, upload: &NewUpload<'_>) -> Result<bool, LocalError>;

    /// The content of a file.
    fn upload(&self, person: &Handle, sha256: &Digest) -> Result<Option<Vec<u8>>, LocalError>;

    /// Removes all files that end at `until` (Unix seconds) or before.
    fn forget_uploads(&self, until: i64) -> Result<(), LocalError>;
}
