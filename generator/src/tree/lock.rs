//! The lock of a tree, which one process at a time has.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::Access;

use super::changes::Changes;
use super::remove::remove_any;
use super::{Cursor, TEMPORARY, Tree, TreeObserver, is_missing};
use crate::WorkProgress;

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
    pub(super) observers: Vec<Arc<dyn TreeObserver>>,
    pub(super) mode: WriteMode,
    pub(crate) progress: WorkProgress,
    pub(super) lock: Arc<File>,
    pub(crate) changes: Arc<Changes>,
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
        let mut lock =
            OpenOptions::new().create(true).write(true).truncate(false).open(state.join("lock"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(why)) => return Err(why),
        }
        // For messages only: a full disk must not keep the tree from being repaired.
        let _ = lock.set_len(0).and_then(|()| writeln!(lock, "{}", std::process::id()));
        // Beside the tree. If the tree is a mount, files cannot be renamed from there, and the
        // folder is in the tree.
        let is_mount = fs::metadata(self.root())?.dev() != fs::metadata(&state)?.dev();
        let temporary = if is_mount { self.root().join(TEMPORARY) } else { state.join("tmp") };
        // Clears what a killed process has left.
        super::cursor::clear(&state)?;
        remove_any(&temporary)?;
        fs::create_dir(&temporary)?;
        let lock = Arc::new(lock);
        let changes = Arc::new(Changes::of(&state));
        Ok(Some(LockedTree {
            tree: self.clone(),
            state,
            temporary,
            observers: Vec::new(),
            mode: WriteMode::Replace,
            progress: WorkProgress::default(),
            lock,
            changes,
        }))
    }

    /// The id of the process that has the tree's lock, or had it last.
    pub fn keeper(&self) -> Option<u32> {
        fs::read_to_string(self.state().join("lock")).ok()?.trim().parse().ok()
    }

    /// Checks that files can be written to the tree and to its state folder. A full disk passes,
    /// because it may have room later.
    pub fn check_writable(&self) -> io::Result<()> {
        let full = [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded];
        for folder in [self.root().to_owned(), self.state()] {
            let access = || Ok(rustix::fs::access(&folder, Access::WRITE_OK | Access::EXEC_OK)?);
            match fs::create_dir_all(&folder).and_then(|()| access()) {
                Err(why) if !full.contains(&why.kind()) => {
                    return Err(io::Error::new(why.kind(), format!("{}: {why}", folder.display())));
                }
                _ => {}
            }
        }
        Ok(())
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
        if self.head().is_some() {
            return Ok(true);
        }
        // An unfinished tree, or one that has lost its head, has only files of documents.
        let had_lock = self.state().join("lock").exists();
        match fs::read_dir(self.root()) {
            // A new file system has this folder.
            Ok(entries) => Ok(entries.flatten().all(|entry| {
                entry.file_name() == "lost+found" || (had_lock && self.has_only_documents(&entry.path()))
            })),
            Err(why) if is_missing(&why) => Ok(true),
            Err(why) => Err(why),
        }
    }
}

impl LockedTree {
    /// Reports all writes to `observer` too.
    pub fn with_observer(mut self, observer: Arc<dyn TreeObserver>) -> Self {
        self.observers.push(observer);
        self
    }

    /// Tells `progress` how far long work on the tree is.
    pub fn with_progress(self, progress: WorkProgress) -> Self {
        Self { progress, ..self }
    }

    pub(super) fn invalidated(&self) {
        self.observers.iter().for_each(|observer| observer.invalidated());
    }

    /// Creates the folders that writing needs, in case somebody removed them.
    pub fn make_folders(&self) -> io::Result<()> {
        fs::create_dir_all(self.tree.root())?;
        fs::create_dir_all(&self.state)?;
        fs::create_dir_all(&self.temporary)
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The tree's cursor. `None` if the tree is unfinished.
    pub fn cursor(&self) -> Option<Cursor> {
        Cursor::load(&self.state).filter(|cursor| cursor.is_complete)
    }

    /// Stores the tree's cursor.
    pub fn set_cursor(&self, cursor: &Cursor) -> io::Result<()> {
        cursor.store(&self.state, false)
    }

    /// Stores the cursor of a rebuild durably, before the first file is written. Until the next
    /// cursor, the tree is unfinished.
    pub fn begin_rebuild(&self, cursor: &Cursor) -> io::Result<()> {
        // Somebody may have changed or removed files.
        self.invalidated();
        self.changes.begin()?;
        Cursor { is_complete: false, ..cursor.clone() }.store(&self.state, true)
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
