//! A source with one false file.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use generator::address::Document;
use generator::follower::FeedSource;
use generator::tree::Tree;
use parking_lot::Mutex;

/// Changes the bytes of a file, or removes it (None).
pub(super) type Change = dyn Fn(Vec<u8>) -> Option<Vec<u8>> + Send + Sync;

/// A tree with one false file.
#[derive(Clone)]
pub(super) struct FalseSource {
    tree: Tree,
    file: String,
    change: Arc<Mutex<Option<Box<Change>>>>,
    pub(super) requested: Arc<Mutex<Vec<String>>>,
}

impl FalseSource {
    pub(super) fn at(
        tree: &Path,
        file: &str,
        change: impl Fn(Vec<u8>) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        let change: Box<Change> = Box::new(change);
        let change = Arc::new(Mutex::new(Some(change)));
        Self { tree: Tree::at(tree), file: file.to_owned(), change, requested: Arc::default() }
    }

    pub(super) fn becomes_true(&self) {
        *self.change.lock() = None;
    }
}

impl FeedSource for FalseSource {
    fn name(&self) -> String {
        "the false source".into()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        self.requested.lock().push(document.name());
        let Some(mut file) = FeedSource::open(&self.tree, document)? else { return Ok(None) };
        match &*self.change.lock() {
            Some(change) if document.name() == self.file => {
                let mut bytes = Vec::new();
                file.read_to_end(&mut bytes)?;
                Ok(change(bytes).map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Read + Send>))
            }
            _ => Ok(Some(file)),
        }
    }
}
