//! The right to write to a tree: one process has it at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::{Cursor, Tree};

/// A tree that this process alone writes to, until this value is dropped.
#[derive(Debug)]
pub struct LockedTree {
    pub(super) tree: Tree,
    pub(super) state: PathBuf,
    /// Where temporary files go: beside the tree, or, when that is another
    /// file system (no rename leads from there), next to each file.
    pub(super) temporary: Option<PathBuf>,
    _lock: File,
}

impl Tree {
    /// Takes the tree's lock. None when another process has it.
    pub fn lock(&self) -> io::Result<Option<LockedTree>> {
        let state = self.state();
        fs::create_dir_all(self.root())?;
        fs::create_dir_all(&state)?;
        let lock = OpenOptions::new().create(true).write(true).truncate(false).open(state.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(why)) => return Err(why),
        }
        let temporary = state.join("tmp");
        // What a killed process has left.
        match fs::remove_dir_all(&temporary) {
            Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(why),
            _ => fs::create_dir(&temporary)?,
        }
        let same = fs::metadata(self.root())?.dev() == fs::metadata(&temporary)?.dev();
        Ok(Some(LockedTree { tree: self.clone(), state, temporary: same.then_some(temporary), _lock: lock }))
    }
}

impl LockedTree {
    /// Makes the folders that writing needs, where someone has removed them.
    pub fn make_folders(&self) -> io::Result<()> {
        fs::create_dir_all(self.tree.root())?;
        fs::create_dir_all(self.temporary.as_ref().unwrap_or(&self.state))
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// How far the tree has come. None when that is not known.
    pub fn cursor(&self) -> Option<Cursor> {
        // A tree without its head was deleted or never finished.
        self.tree.head()?;
        Cursor::load(&self.state)
    }

    /// Notes how far the tree has come.
    pub fn set_cursor(&self, cursor: &Cursor) -> io::Result<()> {
        cursor.store(&self.state, false)
    }

    /// Brings all that was written to stable storage, and notes that.
    pub fn persist(&self, cursor: &mut Cursor) -> io::Result<()> {
        if cursor.durable == cursor.revision && cursor.boot == super::cursor::boot_id() {
            return Ok(());
        }
        rustix::fs::syncfs(File::open(self.tree.root())?)?;
        cursor.durable = cursor.revision;
        cursor.store(&self.state, true)
    }
}
