//! A tree that nobody reads yet.
//!
//! Where the output folder is empty, a whole tree is written into a folder of
//! its own and then moved into place. Nobody can meet a file in part in there,
//! so each is written where it belongs, and not beside it first: creating,
//! writing and closing is all that it costs.
//!
//! It is all or nothing: after any failure this tree is removed, and the output
//! folder is as empty as it was.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::document::Put;
use super::gzip::gzip;
use crate::address::Document;
use crate::tree::lock::WriteMode;
use crate::tree::{LockedTree, Siblings, TEMPORARY, Tree};

/// Where it is, among the temporary files: so a killed process leaves nothing
/// that is not cleared with them.
const NAME: &str = "tree";

impl LockedTree {
    /// A tree that is to take the place of this one. None where this one has
    /// anything in it.
    pub fn staging(&self) -> io::Result<Option<Self>> {
        self.clear_staging()?;
        if !is_empty(self.tree.root())? {
            return Ok(None);
        }
        let tree = Tree::at(self.staging_folder());
        fs::create_dir(tree.root())?;
        Ok(Some(Self {
            tree,
            state: self.state.clone(),
            temporary: self.temporary.clone(),
            // What it would be told is not in place yet.
            observer: None,
            mode: WriteMode::InPlace,
            lock: Arc::clone(&self.lock),
        }))
    }

    /// Moves all that was written to [`staging`](Self::staging) into this tree. The
    /// folder of the API, which refers to nothing outside of it, comes first.
    ///
    /// The output folder itself stays: it may be a mount, or be held open.
    pub fn move_into_place(&self, staging: &Self) -> io::Result<()> {
        let mut names = Vec::new();
        for entry in fs::read_dir(staging.tree.root())? {
            names.push(entry?.file_name());
        }
        let head = Document::Head.file().unwrap_or_default();
        let first = Path::new(&head).iter().next().unwrap_or_default();
        names.sort_by_key(|name| name != first);
        for name in &names {
            fs::rename(staging.tree.root().join(name), self.tree.root().join(name))?;
        }
        self.invalidated();
        fs::remove_dir(staging.tree.root())
    }

    /// Removes what was written to a tree that was not taken in.
    pub fn clear_staging(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.staging_folder()) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => Err(why),
            _ => Ok(()),
        }
    }

    /// Makes a file in its place, in a tree that is written so. None when something
    /// is there.
    pub(super) fn create(&self, path: &Path) -> io::Result<Option<File>> {
        if self.mode == WriteMode::Replace {
            return Ok(None);
        }
        let created = match File::create_new(path) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                self.make_parents(path)?;
                File::create_new(path)
            }
            created => created,
        };
        match created {
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => Ok(None),
            created => created.map(Some),
        }
    }

    /// Puts the compressed form of a document which was not there: so nor was that.
    pub(super) fn put_beside_new(
        &self,
        document: &Document,
        bytes: &[u8],
        modified: SystemTime,
        siblings: Siblings,
    ) -> io::Result<Put> {
        let is_compressed = siblings != Siblings::None && document.is_worth_compressing(bytes.len() as u64);
        let gzip = match self.tree.gzip_path(document) {
            Some(sibling) if is_compressed => {
                let gzip = gzip(bytes)?;
                self.put_file(&sibling, &gzip, modified)?;
                Some(gzip)
            }
            _ => None,
        };
        Ok(Put { gzip, modified })
    }

    fn staging_folder(&self) -> PathBuf {
        self.temporary.join(NAME)
    }
}

/// Whether a folder has nothing that a tree could have.
fn is_empty(root: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name();
        // A fresh file system has the latter.
        if ![TEMPORARY, "lost+found"].map(OsStr::new).contains(&name.as_os_str()) {
            return Ok(false);
        }
    }
    Ok(true)
}
