//! Putting JSON documents, with the compressed forms beside them.
//!
//! A file and its sibling are replaced one right after the other, with the same
//! modification time: a difference between the two times tells of a process
//! that was killed in between. The sibling comes first, because hosts that find
//! one serve it and do not look at the file's time: so it is never the older.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use super::gzip::gzip;
use super::write::{modified, regular};
use super::{LockedTree, StateTime};
use crate::address::Document;

/// Which documents have compressed siblings, and how those are looked at that
/// are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Siblings {
    /// There are none.
    None,
    /// One whose time is the file's is right.
    Timed,
    /// One whose bytes are right is right.
    Compared,
}

/// Whether a file has exactly these bytes. `size` is what it has.
fn has(path: &Path, size: u64, bytes: &[u8]) -> io::Result<bool> {
    Ok(size == bytes.len() as u64 && fs::read(path)? == bytes)
}

impl LockedTree {
    /// Puts a document's bytes and their compressed form, unless both are there.
    /// Returns whether they were not.
    pub fn put_bytes(
        &self,
        document: &Document,
        bytes: &[u8],
        at: StateTime,
        siblings: Siblings,
    ) -> io::Result<bool> {
        let path = self.tree.path(document);
        let before = regular(&path);
        let is_same = match &before {
            Some(before) => has(&path, before.len(), bytes)?,
            None => false,
        };
        let Some(sibling) = self.tree.gzip_path(document) else {
            return Ok(!is_same && self.put_file(&path, bytes, at.after(modified(before.as_ref())))?);
        };
        let is_compressed = siblings != Siblings::None && document.is_worth_compressing(bytes.len() as u64);
        if !is_compressed {
            let had_sibling = clear(&sibling)?;
            let is_put = !is_same && self.put_file(&path, bytes, at.after(modified(before.as_ref())))?;
            return Ok(had_sibling || is_put);
        }
        let beside = regular(&sibling);
        let times = (modified(before.as_ref()), modified(beside.as_ref()));
        match (&beside, times) {
            (Some(beside), (Some(time), Some(other))) if is_same && time == other => {
                if siblings == Siblings::Timed || has(&sibling, beside.len(), &gzip(bytes)?)? {
                    return Ok(false);
                }
            }
            // Someone has removed it, or it was switched on: the file stays as it is.
            (None, (Some(time), _)) if is_same => return self.put_file(&sibling, &gzip(bytes)?, time),
            _ => {}
        }
        self.put_both((&path, bytes), (&sibling, &gzip(bytes)?), at.after(times.0).max(at.after(times.1)))?;
        Ok(true)
    }

    fn put_file(&self, path: &Path, bytes: &[u8], modified: SystemTime) -> io::Result<bool> {
        self.replace(path, modified, |file| file.write_all(bytes))?;
        Ok(true)
    }

    /// Both are whole before either is moved into its place.
    fn put_both(
        &self,
        (path, bytes): (&Path, &[u8]),
        (sibling, compressed): (&Path, &[u8]),
        modified: SystemTime,
    ) -> io::Result<()> {
        let [plain, beside] = [self.next(), self.next().with_extension("gz")];
        let fill = |to: &Path, bytes: &[u8]| self.fill(to, modified, |file| file.write_all(bytes));
        let put = fill(&plain, bytes)
            .and_then(|()| fill(&beside, compressed))
            .and_then(|()| self.rename(&beside, sibling))
            .and_then(|()| self.rename(&plain, path));
        if put.is_err() {
            // A full disk needs the space; the reason matters more than this.
            let _ = (fs::remove_file(&plain), fs::remove_file(&beside));
        }
        put
    }
}

/// Removes whatever is in the place of a compressed form. Returns whether
/// something was.
pub(super) fn clear(sibling: &Path) -> io::Result<bool> {
    let removed = match fs::remove_file(sibling) {
        // Nothing but a hand can have made a folder there.
        Err(why) if why.kind() == io::ErrorKind::IsADirectory => fs::remove_dir_all(sibling),
        removed => removed,
    };
    match removed {
        Ok(()) => Ok(true),
        Err(why) if matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(false),
        Err(why) => Err(why),
    }
}
