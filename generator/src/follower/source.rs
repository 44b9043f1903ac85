//! Sources: published trees that are followed.

use std::io::{self, Read};
use std::sync::Arc;

use super::cache::FeedCache;
use super::error::FollowError;
use crate::WorkProgress;
use crate::address::Document;
use crate::feed::parse_head;
use crate::tree::{State, Tree};

/// Largest size of a document of a feed. A page has 32 rows, and the largest possible row has
/// about 600 KiB: it lists 1,000 files.
const MAX_SIZE: u64 = 64 * 1024 * 1024;

/// A published tree: a folder, or a host that serves one.
pub trait FeedSource: Send + Sync {
    /// Its name in messages.
    fn name(&self) -> String;

    /// Opens the file of a document. None if the source lacks it.
    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>>;

    /// Whether the follower may leave out versions of it, with `--deny`.
    fn can_deny(&self) -> bool {
        true
    }
}

impl FeedSource for Tree {
    fn name(&self) -> String {
        self.root().display().to_string()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        Ok(Tree::open(self, document)?.map(|file| Box::new(file) as Box<dyn Read + Send>))
    }
}

/// Reads how far a source is.
pub fn state_of(source: &dyn FeedSource) -> Result<State, FollowError> {
    let document = Document::Head;
    let refused = |why: String| FollowError::Refused { name: source.name(), file: document.name(), why };
    let unread = |why: io::Error| refused(format!("cannot be read: {why}"));
    let reader = source.open(&document).map_err(unread)?.ok_or_else(|| refused("does not exist".into()))?;
    let mut text = String::new();
    reader.take(MAX_SIZE).read_to_string(&mut text).map_err(unread)?;
    Ok(State::from(&parse_head(&text).map_err(refused)?))
}

/// A source, with the cache and the tree of its follower.
pub(super) struct FeedReader {
    pub source: Arc<dyn FeedSource>,
    pub cache: FeedCache,
    pub tree: Tree,
    pub progress: WorkProgress,
}

impl FeedReader {
    /// An error about a document of the source.
    pub fn refused(&self, document: &Document, why: impl Into<String>) -> FollowError {
        FollowError::Refused { name: self.source.name(), file: document.name(), why: why.into() }
    }

    /// Opens a document. It is an error if the source lacks it.
    pub fn open(&self, document: &Document) -> Result<Box<dyn Read + Send>, FollowError> {
        match self.source.open(document) {
            Ok(Some(reader)) => Ok(reader),
            Ok(None) => Err(self.refused(document, "does not exist")),
            Err(why) => Err(self.refused(document, format!("cannot be read: {why}"))),
        }
    }

    /// Reads and parses a document of the feed. Returns its text too.
    pub fn read_as<T>(
        &self,
        document: &Document,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<(String, T), FollowError> {
        let text = self.read_up_to(document, MAX_SIZE)?;
        match parse(&text) {
            Ok(parsed) => Ok((text, parsed)),
            Err(why) => Err(self.refused(document, why)),
        }
    }

    /// Reads a document of at most `max` bytes.
    pub fn read_up_to(&self, document: &Document, max: u64) -> Result<String, FollowError> {
        let mut bytes = Vec::new();
        let read = self.open(document)?.take(max + 1).read_to_end(&mut bytes);
        read.map_err(|why| self.refused(document, format!("cannot be read: {why}")))?;
        if bytes.len() as u64 > max {
            return Err(self.refused(document, format!("is larger than {max} bytes")));
        }
        String::from_utf8(bytes).map_err(|_| self.refused(document, "is not UTF-8"))
    }
}
