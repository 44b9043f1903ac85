//! Builds the first tree of an empty output folder out of sight.
//!
//! The tree is written to a staging folder and then moved into place. Nobody reads it before, so
//! each file is written directly where it belongs.
//!
//! After any failure the staging folder is removed, and the output folder is still empty.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use super::document::WrittenForms;
use crate::address::Document;
use crate::gzip::gzip;
use crate::tree::lock::WriteMode;
use crate::tree::remove::remove_any;
use crate::tree::{LockedTree, Siblings, TEMPORARY, Tree};

/// The staging folder's name. It is a temporary folder, so the next start clears it after a crash.
const NAME: &str = "tree";

impl LockedTree {
    /// Creates a staging tree. Returns `None` if this tree is not empty.
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
            // Documents are not in place yet.
            observers: Vec::new(),
            mode: WriteMode::InPlace,
            progress: self.progress.clone(),
            lock: Arc::clone(&self.lock),
            changes: Arc::clone(&self.changes),
        }))
    }

    /// Moves the files of a staging tree into this one. The API's folder comes first, because it
    /// refers to no other.
    ///
    /// The output folder itself stays: it may be a mount, or be open in another process.
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

    /// Removes the staging folder.
    pub fn clear_staging(&self) -> io::Result<()> {
        remove_any(&self.staging_folder()).map(drop)
    }

    /// Creates a file in its place, if this tree is a staging tree. Returns `None` otherwise, or if
    /// the file exists.
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

    /// Writes the gzip sibling of a new document.
    pub(super) fn put_beside_new(
        &self,
        document: &Document,
        bytes: &[u8],
        modified: SystemTime,
        siblings: Siblings,
    ) -> io::Result<WrittenForms> {
        let is_compressed = siblings != Siblings::None && document.has_sibling(bytes.len() as u64);
        let gzip = match self.tree.gzip_path(document) {
            Some(sibling) if is_compressed => {
                let gzip = gzip(bytes)?;
                self.put_file(&sibling, &gzip, modified)?;
                Some(gzip)
            }
            _ => None,
        };
        Ok(WrittenForms { gzip, modified })
    }

    fn staging_folder(&self) -> PathBuf {
        self.temporary.join(NAME)
    }
}

/// Whether a folder has nothing that may be part of a tree.
fn is_empty(root: &Path) -> io::Result<bool> {
    for entry in fs::read_dir(root)? {
        let name = entry?.file_name();
        // A new file system has `lost+found`.
        if ![TEMPORARY, "lost+found"].map(OsStr::new).contains(&name.as_os_str()) {
            return Ok(false);
        }
    }
    Ok(true)
}
