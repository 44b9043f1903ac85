//! Writes documents and their gzip siblings.
//!
//! A file and its sibling are replaced one right after the other, with the same modification time.
//! Different times mean that a process was killed in between. The sibling is replaced first: hosts
//! that serve it do not check the file's time, so it must never be the older one.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::SystemTime;

use super::finish;
use crate::address::Document;
use crate::gzip::gzip;
use crate::tree::remove::remove_any;
use crate::tree::state_time::modified;
use crate::tree::verify::regular;
use crate::tree::{LockedTree, StateTime, Written};

/// Whether documents have gzip siblings, and how existing ones are checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Siblings {
    /// No document has a sibling.
    None,
    /// A sibling is right if its time equals the file's.
    Timed,
    /// A sibling is right if its bytes are.
    Compared,
}

/// The sibling and the time of a written document.
pub(super) struct WrittenForms {
    pub(super) gzip: Option<Vec<u8>>,
    pub(super) modified: SystemTime,
}

/// A file to write.
struct NewFile<'a> {
    path: &'a Path,
    bytes: &'a [u8],
}

/// Whether a file of `size` bytes has exactly these bytes.
fn has(path: &Path, size: u64, bytes: &[u8]) -> io::Result<bool> {
    Ok(size == bytes.len() as u64 && fs::read(path)? == bytes)
}

impl LockedTree {
    /// Writes a document and its gzip sibling, unless both are right. Returns whether anything was
    /// written.
    pub fn put_bytes(
        &self,
        document: &Document,
        bytes: &[u8],
        at: StateTime,
        siblings: Siblings,
    ) -> io::Result<bool> {
        let put = self.put_forms(document, bytes, at, siblings);
        for observer in &self.observers {
            match &put {
                Ok(None) => {}
                Ok(Some(WrittenForms { gzip, modified })) => {
                    let written = Written { bytes, gzip: gzip.as_deref(), modified: *modified };
                    observer.replaced(document, written);
                }
                Err(_) => observer.removed(document),
            }
        }
        put.map(|put| put.is_some())
    }

    fn put_forms(
        &self,
        document: &Document,
        bytes: &[u8],
        at: StateTime,
        siblings: Siblings,
    ) -> io::Result<Option<WrittenForms>> {
        let path = self.tree.place(document)?;
        if let Some(file) = self.create(&path)? {
            let modified = at.after(None);
            finish(file, modified, |file| file.write_all(bytes))?;
            return self.put_beside_new(document, bytes, modified, siblings).map(Some);
        }
        let before = regular(&path);
        let is_same = match &before {
            Some(before) => has(&path, before.len(), bytes)?,
            None => false,
        };
        let time = modified(before.as_ref());
        let sibling = self.tree.gzip_path(document);
        let is_compressed = siblings != Siblings::None && document.has_sibling(bytes.len() as u64);
        let Some(sibling) = sibling.as_ref().filter(|_| is_compressed) else {
            let had_sibling = sibling.map_or(Ok(false), |sibling| remove_any(&sibling))?;
            let modified = match time {
                Some(time) if is_same => time,
                replaced => at.after(replaced),
            };
            if !is_same {
                self.put_file(&path, bytes, modified)?;
            }
            return Ok((had_sibling || !is_same).then_some(WrittenForms { gzip: None, modified }));
        };
        let beside = regular(sibling);
        let times = (time, modified(beside.as_ref()));
        match (&beside, times) {
            (Some(beside), (Some(time), Some(other))) if is_same && time == other => {
                let is_right = siblings == Siblings::Timed || has(sibling, beside.len(), &gzip(bytes)?)?;
                if is_right {
                    return Ok(None);
                }
            }
            // The sibling was removed by somebody, or siblings were switched on. The file stays.
            (None, (Some(modified), _)) if is_same => {
                let gzip = gzip(bytes)?;
                self.put_file(sibling, &gzip, modified)?;
                return Ok(Some(WrittenForms { gzip: Some(gzip), modified }));
            }
            _ => {}
        }
        let (gzip, modified) = (gzip(bytes)?, at.after(times.0).max(at.after(times.1)));
        let file = NewFile { path: &path, bytes };
        self.put_both(file, NewFile { path: sibling, bytes: &gzip }, modified)?;
        Ok(Some(WrittenForms { gzip: Some(gzip), modified }))
    }

    pub(super) fn put_file(&self, path: &Path, bytes: &[u8], modified: SystemTime) -> io::Result<()> {
        self.replace(path, modified, |file| file.write_all(bytes))
    }

    /// Replaces a file and its sibling. Both are complete before either is moved.
    fn put_both(&self, file: NewFile<'_>, sibling: NewFile<'_>, modified: SystemTime) -> io::Result<()> {
        let [plain, beside] = [self.temporary_file(), self.temporary_file().with_extension("gz")];
        let fill = |to: &Path, bytes: &[u8]| self.fill(to, modified, |file| file.write_all(bytes));
        let put = fill(&plain, file.bytes)
            .and_then(|()| fill(&beside, sibling.bytes))
            .and_then(|()| self.rename(&beside, sibling.path))
            .and_then(|()| self.rename(&plain, file.path));
        if put.is_err() {
            // A full disk needs the space. The first error matters more than this one.
            let _ = (fs::remove_file(&plain), fs::remove_file(&beside));
        }
        put
    }
}
