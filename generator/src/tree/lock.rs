//! The right to write to a tree: one process has it at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use super::{Cursor, TEMPORARY, Tree, TreeObserver};

/// How a file comes into its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WriteMode {
    /// It is written beside its place and moved there: readers find the old one
    /// or the new one, both whole.
    Replace,
    /// It is written where it belongs, where nothing is yet: nobody reads this tree.
    InPlace,
}

/// A tree that this process alone writes to, until this value is dropped.
#[derive(Debug)]
pub struct LockedTree {
    pub(super) tree: Tree,
    pub(super) state: PathBuf,
    /// Where files are written before they are moved into place.
    pub(super) temporary: PathBuf,
    pub(super) observer: Option<Arc<dyn TreeObserver>>,
    pub(super) mode: WriteMode,
    pub(super) lock: Arc<File>,
}

impl Tree {
    /// Takes the tree's lock. None when another process has it.
    ///
    /// Errors: also where the folder holds something that is no tree of ours,
    /// for whatever is no document is removed from a tree.
    pub fn lock(&self) -> io::Result<Option<LockedTree>> {
        let state = self.state();
        if !self.is_ours()? {
            let shown = self.root().display();
            let why =
                format!("{shown} holds files that are no tree of ours: choose an empty folder, or empty it");
            return Err(io::Error::other(why));
        }
        fs::create_dir_all(self.root())?;
        fs::create_dir_all(&state)?;
        let lock = OpenOptions::new().create(true).write(true).truncate(false).open(state.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(why)) => return Err(why),
        }
        // Beside the tree; where that is another file system (the tree is a
        // mount) no rename leads from there, and it is a folder in the tree.
        let is_mount = fs::metadata(self.root())?.dev() != fs::metadata(&state)?.dev();
        let temporary = if is_mount { self.root().join(TEMPORARY) } else { state.join("tmp") };
        // What a killed process has left.
        super::cursor::clear(&state)?;
        match fs::remove_dir_all(&temporary) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            _ => fs::create_dir(&temporary)?,
        }
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

    /// Refuses a folder that holds something else than a tree of ours.
    pub fn check(&self) -> io::Result<()> {
        if self.is_ours()? {
            return Ok(());
        }
        let shown = self.root().display();
        let why =
            format!("{shown} holds files that are no tree of ours: choose an empty folder, or empty it");
        Err(io::Error::other(why))
    }

    /// Whether the folder is empty, or was written by this program.
    fn is_ours(&self) -> io::Result<bool> {
        if self.state().join("lock").exists() || self.head().is_some() {
            return Ok(true);
        }
        match fs::read_dir(self.root()) {
            // A fresh file system has that one folder.
            Ok(entries) => Ok(entries.flatten().all(|entry| entry.file_name() == "lost+found")),
            Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(why) => Err(why),
        }
    }
}

impl LockedTree {
    /// The same tree, with someone to tell of all that is written to it.
    pub fn with_observer(self, observer: Arc<dyn TreeObserver>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    pub(super) fn invalidated(&self) {
        self.observer.iter().for_each(|observer| observer.invalidated());
    }

    /// Makes the folders that writing needs, where someone has removed them.
    pub fn make_folders(&self) -> io::Result<()> {
        fs::create_dir_all(self.tree.root())?;
        fs::create_dir_all(&self.state)?;
        fs::create_dir_all(&self.temporary)
    }

    /// Where someone who follows a feed keeps what belongs to no tree.
    pub(crate) fn feed_folder(&self) -> PathBuf {
        self.state.join("feed")
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// How far the tree has come. None when that is not known.
    pub fn cursor(&self) -> Option<Cursor> {
        Cursor::load(&self.state)
    }

    /// Notes how far the tree has come.
    pub fn set_cursor(&self, cursor: &Cursor) -> io::Result<()> {
        cursor.store(&self.state, false)
    }

    /// Forgets how far the tree has come, for certain: until the next cursor
    /// it is one that was not finished.
    pub fn forget_cursor(&self) -> io::Result<()> {
        // Someone may have changed or removed what was written.
        self.invalidated();
        Cursor::remove(&self.state)
    }

    /// Brings all that was written to stable storage, and notes that.
    pub fn persist(&self, cursor: &mut Cursor) -> io::Result<()> {
        if cursor.durable == cursor.state && cursor.boot == super::cursor::boot_id() {
            return Ok(());
        }
        rustix::fs::syncfs(File::open(self.tree.root())?)?;
        cursor.durable = cursor.state;
        cursor.store(&self.state, true)
    }
}
