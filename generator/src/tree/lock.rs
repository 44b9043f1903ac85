//! The lock of a tree, which one process at a time has.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use super::files::{is_missing, remove_any};
use super::{Cursor, TEMPORARY, Tree, TreeObserver};

/// How a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteMode {
    /// Beside its place, and moved there: readers find the old file or the new one, both complete.
    Replace,
    /// In its place, which is empty: nobody reads this tree yet.
    InPlace,
}

/// A tree that only this process writes, until the value is dropped.
#[derive(Debug)]
pub struct LockedTree {
    pub(super) tree: Tree,
    pub(super) state: PathBuf,
    /// The folder for files before they are moved into place.
    pub(super) temporary: PathBuf,
    pub(super) observer: Option<Arc<dyn TreeObserver>>,
    pub(super) mode: WriteMode,
    pub(super) lock: Arc<File>,
}

impl Tree {
    /// Takes the tree's lock. Returns `None` if another process has it.
    ///
    /// Errors: also if the folder holds files that are not from a tree, because a tree's publisher
    /// removes unknown files.
    pub fn lock(&self) -> io::Result<Option<LockedTree>> {
        let state = self.state();
        self.check()?;
        fs::create_dir_all(self.root())?;
        fs::create_dir_all(&state)?;
        let lock = OpenOptions::new().create(true).write(true).truncate(false).open(state.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(why)) => return Err(why),
        }
        // Beside the tree. If the tree is a mount, files cannot be renamed from there, and the
        // folder is in the tree.
        let is_mount = fs::metadata(self.root())?.dev() != fs::metadata(&state)?.dev();
        let temporary = if is_mount { self.root().join(TEMPORARY) } else { state.join("tmp") };
        // Clears what a killed process has left.
        super::cursor::clear(&state)?;
        remove_any(&temporary)?;
        fs::create_dir(&temporary)?;
        let lock = Arc::new(lock);
        Ok(Some(LockedTree {
            tree: self.clone(),
            state,
            temporary,
            observer: None,
            mode: WriteMode::Replace,
            lock,
        }))
    }

    /// Returns an error if the folder holds files that are not from a tree.
    pub fn check(&self) -> io::Result<()> {
        if self.is_ours()? {
            return Ok(());
        }
        let shown = self.root().display();
        let why = format!(
            "{shown} holds files that are not from a registry's tree: choose an empty folder, or empty this one"
        );
        Err(io::Error::other(why))
    }

    /// Whether the folder is empty, or holds a tree.
    fn is_ours(&self) -> io::Result<bool> {
        if self.state().join("lock").exists() || self.head().is_some() {
            return Ok(true);
        }
        match fs::read_dir(self.root()) {
            // A new file system has this folder.
            Ok(entries) => Ok(entries.flatten().all(|entry| entry.file_name() == "lost+found")),
            Err(why) if is_missing(&why) => Ok(true),
            Err(why) => Err(why),
        }
    }
}

impl LockedTree {
    /// Reports all writes to `observer`.
    pub fn with_observer(self, observer: Arc<dyn TreeObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    pub(super) fn invalidated(&self) {
        self.observer.iter().for_each(|observer| observer.invalidated());
    }

    /// Creates the folders that writing needs, in case somebody removed them.
    pub fn make_folders(&self) -> io::Result<()> {
        fs::create_dir_all(self.tree.root())?;
        fs::create_dir_all(&self.state)?;
        fs::create_dir_all(&self.temporary)
    }

    /// The folder in which a follower keeps its cache.
    pub(crate) fn feed_folder(&self) -> PathBuf {
        self.state.join("feed")
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree's cursor. `None` if the tree is unfinished.
    pub fn cursor(&self) -> Option<Cursor> {
        Cursor::load(&self.state)
    }

    /// Stores the tree's cursor.
    pub fn set_cursor(&self, cursor: &Cursor) -> io::Result<()> {
        cursor.store(&self.state, false)
    }

    /// Removes the cursor durably: until the next one, the tree is unfinished.
    pub fn forget_cursor(&self) -> io::Result<()> {
        // Somebody may have changed or removed files.
        self.invalidated();
        Cursor::remove(&self.state)
    }

    /// Syncs all files to stable storage, and records that in the cursor.
    pub fn persist(&self, cursor: &mut Cursor) -> io::Result<()> {
        if cursor.durable == cursor.state && cursor.boot == super::cursor::boot_id() {
            return Ok(());
        }
        rustix::fs::syncfs(File::open(self.tree.root())?)?;
        cursor.durable = cursor.state;
        cursor.store(&self.state, true)
    }
}
