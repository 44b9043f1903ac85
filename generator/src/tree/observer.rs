//! Reports changes of a tree's documents.

use std::fmt::Debug;
use std::time::SystemTime;

use crate::address::Document;

/// The new content of a document's files.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The document's bytes.
    pub bytes: &'a [u8],
    /// The bytes of the gzip sibling, if it has one.
    pub gzip: Option<&'a [u8]>,
    /// The modification time of both files.
    pub modified: SystemTime,
}

/// Keeps copies of documents up to date, in memory or in another place.
///
/// The writing thread calls it when the files are in place, before it begins another document. Two
/// threads never write the same document, so each copy changes in the order of its files.
pub trait TreeObserver: Debug + Send + Sync {
    /// A document was written.
    fn replaced(&self, document: &Document, written: Written<'_>);

    /// A package was written. Its bytes are in the tree only.
    fn stored(&self, package: &Document);

    /// A document was removed, or its files' content is unknown.
    fn removed(&self, document: &Document);

    /// Any document may have changed.
    fn invalidated(&self);
}
