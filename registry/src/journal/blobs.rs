//! The packages of a registry, each named by its digest. They are stored once and
//! never changed.

use std::any::Any;
use std::fmt;
use std::fs::File;
use std::io;
use std::time::Duration;

use serde::Serialize;

use super::JournalError;
use crate::names::Digest;

/// A store from which blobs are read.
pub trait BlobSource: Send + Sync {
    /// Opens a blob for reading, or returns None if it is not stored.
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError>;
}

/// The store of all packages.
pub trait Blobs: BlobSource {
    /// Stores `bytes` under their digest. They are durable once this returns, so
    /// a row may name the blob. Putting an existing blob again only renews it.
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError>;

    /// Renews a blob as [`Blobs::put_blob`] does: its age is 0 then. Returns false
    /// if no blob of that size is stored under the digest: put it then.
    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError>;

    /// Checks that the storage takes `size` bytes, and keeps none of them.
    fn probe_storage(&self, size: u64) -> Result<(), JournalError>;

    /// Calls `visit` with every blob, in no order.
    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError>;

    /// Removes those of `digests` that were last put or renewed at least `min_age`
    /// ago. Blobs that are being put stay. Call it in [`super::Journal::freeze`],
    /// so that no row can name them meanwhile.
    fn remove_blobs(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError>;

    /// Keeps every process from removing blobs until the hold is dropped, if the store has locks. Without them
    /// the caller may miss a blob that has become unused since it read the rows.
    fn hold_blobs(&self) -> Result<BlobHold, JournalError>;

    /// Names the store in a sentence that everyone may read, without an address.
    fn place(&self) -> &'static str {
        super::DATA_FOLDER
    }
}

/// An open blob.
pub trait BlobReader: io::Read + io::Seek + Send + Sync {
    /// The size in bytes.
    fn size(&self) -> io::Result<u64>;

    /// Writes the whole blob to the end of the file `to`. A store in files lets the
    /// system copy or clone.
    fn copy_to(&mut self, to: &mut File) -> io::Result<()>;
}

impl fmt::Debug for dyn BlobReader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlobReader(…)")
    }
}

/// A stored blob, without its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct StoredBlob {
    /// The digest that names it.
    #[serde(rename = "sha256")]
    pub digest: Digest,
    /// The size in bytes.
    pub size: u64,
    /// The time since the last put or renewal, by the clock of the store.
    #[serde(skip)]
    pub age: Duration,
}

/// The outcome of [`Blobs::remove_blobs`].
#[derive(Debug, PartialEq, Eq)]
pub enum Removal {
    /// These blobs were removed.
    Done(Vec<StoredBlob>),
    /// None were removed: a [`BlobHold`] exists, or another process removes blobs.
    Held,
}

/// No blob is removed while this value lives, if the store has locks.
#[derive(Debug)]
pub struct BlobHold(#[expect(dead_code, reason = "dropping it ends the hold")] Box<dyn Any + Send>);

impl BlobHold {
    /// The hold of a store without locks.
    pub fn none() -> Self {
        Self(Box::new(()))
    }

    /// A hold that ends when `guard` is dropped.
    pub fn new(guard: impl Any + Send) -> Self {
        Self(Box::new(guard))
    }
}
