//! Files that are on their way into a tree, and are not trusted yet.

use std::fs::{self, File};
use std::io;

use super::remove::remove_any;
use super::{LockedTree, Tree};
use crate::address::Document;

/// A folder for files of a tree, among the tree's temporary files. A process that takes the lock
/// of the tree removes what others have left there.
#[derive(Debug)]
pub struct IncomingTree {
    tree: Tree,
}

impl LockedTree {
    /// An empty folder for incoming files.
    pub fn incoming(&self) -> io::Result<IncomingTree> {
        let folder = self.temporary.join("incoming");
        remove_any(&folder)?;
        fs::create_dir(&folder)?;
        Ok(IncomingTree { tree: Tree::at(folder) })
    }
}

impl IncomingTree {
    /// The files so far.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Whether a document has come.
    pub fn has(&self, document: &Document) -> bool {
        self.tree.path(document).is_some_and(|path| path.exists())
    }

    /// Creates the file of a document that has not come yet.
    pub fn create(&self, document: &Document) -> io::Result<File> {
        let path = self.tree.place(document)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        File::create_new(path)
    }
}

impl Drop for IncomingTree {
    fn drop(&mut self) {
        // What is left is removed by the next process that takes the lock.
        let _ = remove_any(self.tree.root());
    }
}
