//! A copy of a tree in one state, while another process goes on writing the tree.
//!
//! The copy consists of hard links. The writer of a tree never changes a file: it puts another
//! one in its place. So links keep what the tree had. Passes over the tree link what is new, until
//! a pass finds nothing new. Between the last two passes, the tree was what the copy is.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, SystemTime};

use super::files::TreeFile;
use super::prune::remove_any;
use super::state_time::modified;
use super::verify::regular;
use super::{StateTime, Tree, is_missing};
use crate::address::Document;

/// How many passes are tried, and the pause after each. The tree of a writer that is never idle for
/// the time of two passes cannot be copied like this.
const MAX_PASSES: usize = 40;
const PAUSE: Duration = Duration::from_millis(50);

/// A tree that does not change. Dropping it removes it.
#[derive(Debug)]
pub struct FrozenTree {
    tree: Tree,
    /// The text of its head.
    head: String,
    _lock: File,
}

impl FrozenTree {
    /// The copy.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text of its head.
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Whether it has a document.
    pub fn has(&self, document: &Document) -> bool {
        self.tree.place(document).is_ok_and(|path| path.exists())
    }

    /// Puts a document into the copy.
    pub fn put(&self, document: &Document, bytes: &[u8]) -> io::Result<()> {
        let path = self.tree.place(document)?;
        // A file that the tree has is the same one in the copy.
        remove_any(&path)?;
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(path, bytes)
    }
}

impl Drop for FrozenTree {
    fn drop(&mut self) {
        // What is left is removed by the next one.
        let _ = remove_any(self.tree.root());
    }
}

impl Tree {
    /// Copies the tree as it is at its head. The copy is in the state folder beside the tree. `None`
    /// if the tree has files of a later state than its head all the time.
    pub fn freeze(&self) -> io::Result<Option<FrozenTree>> {
        let state = self.state();
        if self.head().is_none() {
            let why = format!("{} has no tree, or its first one is not complete yet", self.root().display());
            return Err(io::Error::new(io::ErrorKind::NotFound, why));
        }
        fs::create_dir_all(&state)?;
        let lock =
            OpenOptions::new().create(true).write(true).truncate(false).open(state.join("frozen.lock"))?;
        lock.try_lock().map_err(|why| match why {
            TryLockError::WouldBlock => io::Error::other("another process makes a snapshot of this tree"),
            TryLockError::Error(why) => why,
        })?;
        let copy = Self::at(state.join("frozen"));
        remove_any(copy.root())?;
        fs::create_dir(copy.root())?;
        let mut frozen = FrozenTree { tree: copy, head: String::new(), _lock: lock };
        let mut copied = 0;
        for _ in 0..MAX_PASSES {
            if self.copy_changes(&frozen.tree, &mut copied)? {
                frozen.head = frozen.tree.read_head()?;
                return Ok(Some(frozen));
            }
            sleep(PAUSE);
        }
        Ok(None)
    }

    fn read_head(&self) -> io::Result<String> {
        let mut text = String::new();
        File::open(self.place(&Document::Head)?)?.read_to_string(&mut text)?;
        Ok(text)
    }

    /// Makes the copy equal to the tree. Returns true if it was already, and the tree has no file
    /// of a later state than its head. `copied` is the number of files in the copy.
    fn copy_changes(&self, copy: &Self, copied: &mut usize) -> io::Result<bool> {
        let head = regular(&self.place(&Document::Head)?);
        let newest = modified(head.as_ref()).filter(|time| StateTime::is_state_time(*time));
        let (mut is_equal, mut files) = (true, 0);
        for file in self.files()? {
            let file = file?;
            files += 1;
            is_equal &= !is_later(&file, newest);
            is_equal &= link(&self.root().join(&file.path), &copy.root().join(&file.path), &file)?;
        }
        // If the copy had all these files and no other, there is nothing to remove.
        let had = std::mem::replace(copied, files);
        if had == 0 || (is_equal && had == files) {
            return Ok(is_equal);
        }
        for file in copy.files()? {
            let file = file?;
            if regular(&self.root().join(&file.path)).is_none() {
                remove_any(&copy.root().join(&file.path))?;
                is_equal = false;
            }
        }
        Ok(is_equal)
    }
}

/// Whether a file was written for a later state than that of the head. In a tree that was copied
/// without its times, nothing is known to be later.
fn is_later(file: &TreeFile, newest: Option<SystemTime>) -> bool {
    let time = modified(Some(&file.meta)).filter(|time| StateTime::is_state_time(*time));
    matches!((time, newest), (Some(time), Some(newest)) if time > newest)
}

/// Links a file into the copy. Returns whether the copy had it.
fn link(from: &Path, to: &Path, file: &TreeFile) -> io::Result<bool> {
    if let Some(meta) = regular(to) {
        let linked = TreeFile { path: String::new(), document: Document::Head, meta };
        let is_copy = linked.size() == file.size()
            && modified(Some(&linked.meta)).is_some_and(|time| Some(time) == modified(Some(&file.meta)));
        if linked.is_same_as(file) || is_copy {
            return Ok(true);
        }
        fs::remove_file(to)?;
    }
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    match fs::hard_link(from, to) {
        Ok(()) => {}
        // Removed since it was listed.
        Err(why) if is_missing(&why) => {}
        // Another file system, or a file of somebody else.
        Err(_) => copy(from, to, file)?,
    }
    Ok(false)
}

fn copy(from: &Path, to: &Path, file: &TreeFile) -> io::Result<()> {
    match fs::copy(from, to) {
        Err(why) if !is_missing(&why) => return Err(why),
        Err(_) => return Ok(()),
        Ok(_) => {}
    }
    // Tells the next pass that this is a copy of that file.
    match modified(Some(&file.meta)) {
        Some(time) => OpenOptions::new().write(true).open(to)?.set_modified(time),
        None => Ok(()),
    }
}
