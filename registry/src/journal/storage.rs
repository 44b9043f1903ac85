//! The rows and the packages of a registry, whatever stores them.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::{
    BlobFolder, BlobReader, BlobSource, Blobs, Epoch, Journal, JournalError, PublicRow, PublicRows, Revision,
    SqliteJournal,
};
use crate::names::Digest;

/// The public half of a registry's storage. Code that makes public documents gets
/// this and nothing more.
pub trait PublicStore: PublicRows + BlobSource {}

impl<T: PublicRows + BlobSource + ?Sized> PublicStore for T {}

/// A journal, and the store of the packages that its rows name.
#[derive(Clone)]
pub struct Storage {
    /// The rows.
    pub journal: Arc<dyn Journal>,
    /// The packages.
    pub blobs: Arc<dyn Blobs>,
}

impl Storage {
    /// Opens both in the folder `data`. Creates what is missing.
    ///
    /// Errors: those of [`SqliteJournal::open`].
    pub fn in_folder(data: &Path) -> Result<Self, JournalError> {
        let journal = Arc::new(SqliteJournal::open(data)?);
        Ok(Self { journal, blobs: Arc::new(BlobFolder::open(data)?) })
    }
}

impl<T: Journal + Blobs + 'static> From<Arc<T>> for Storage {
    fn from(both: Arc<T>) -> Self {
        Self { journal: both.clone(), blobs: both }
    }
}

impl fmt::Debug for Storage {
    /// Shows no content: rows have private data, and the address of a store may
    /// have a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Storage").finish_non_exhaustive()
    }
}

impl PublicRows for Storage {
    fn epoch(&self) -> Result<Epoch, JournalError> {
        self.journal.epoch()
    }

    fn public_since(&self, after: Revision, limit: usize) -> Result<Vec<PublicRow>, JournalError> {
        self.journal.public_since(after, limit)
    }

    fn public_row(&self, revision: Revision) -> Result<Option<PublicRow>, JournalError> {
        self.journal.public_row(revision)
    }
}

impl BlobSource for Storage {
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        self.blobs.open_blob(digest)
    }
}
