//! Being told what happens to a tree's JSON documents.

use std::fmt::Debug;
use std::time::SystemTime;

use crate::address::Document;

/// What a document's files hold now.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// The document.
    pub bytes: &'a [u8],
    /// Its compressed form, where it has one.
    pub gzip: Option<&'a [u8]>,
    /// The modification time of both files.
    pub modified: SystemTime,
}

/// Someone who holds copies of documents in memory. It is called by the thread
/// that writes, after the files are in their places and before that thread begins
/// another document. No document is written by two threads at once, so that the copies
/// of each change in the order in which its files do.
pub trait TreeObserver: Debug + Send + Sync {
    /// A document was written.
    fn replaced(&self, document: &Document, written: Written<'_>);

    /// A document was removed, or what its files hold is not known.
    fn removed(&self, document: &Document);

    /// Any document may have been changed or removed.
    fn invalidated(&self);
}
