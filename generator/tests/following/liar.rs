//! A source that tells the truth but for one file.

use std::io::{self, Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use generator::address::Document;
use generator::follower::FeedSource;
use generator::tree::Tree;
use parking_lot::Mutex;

/// What becomes of a file's bytes; None: it is not there.
pub(super) type Lie = dyn Fn(Vec<u8>) -> Option<Vec<u8>> + Send + Sync;

/// A source that tells the truth but for one file.
#[derive(Clone)]
pub(super) struct Liar {
    tree: Tree,
    file: String,
    lie: Arc<Mutex<Option<Box<Lie>>>>,
    pub(super) asked: Arc<Mutex<Vec<String>>>,
}

impl Liar {
    pub(super) fn about(
        tree: &Path,
        file: &str,
        lie: impl Fn(Vec<u8>) -> Option<Vec<u8>> + Send + Sync + 'static,
    ) -> Self {
        let lie: Box<Lie> = Box::new(lie);
        let lie = Arc::new(Mutex::new(Some(lie)));
        Self { tree: Tree::at(tree), file: file.to_owned(), lie, asked: Arc::default() }
    }

    pub(super) fn tells_the_truth(&self) {
        *self.lie.lock() = None;
    }
}

impl FeedSource for Liar {
    fn name(&self) -> String {
        "the liar".into()
    }

    fn open(&self, document: &Document) -> io::Result<Option<Box<dyn Read + Send>>> {
        self.asked.lock().push(document.name());
        let Some(mut truth) = FeedSource::open(&self.tree, document)? else { return Ok(None) };
        match &*self.lie.lock() {
            Some(lie) if document.name() == self.file => {
                let mut bytes = Vec::new();
                truth.read_to_end(&mut bytes)?;
                Ok(lie(bytes).map(|bytes| Box::new(Cursor::new(bytes)) as Box<dyn Read + Send>))
            }
            _ => Ok(Some(truth)),
        }
    }
}
