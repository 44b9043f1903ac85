//! Writes documents to the tree. Readers find each complete or not at all.

mod document;

mod staging;

use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use registry::journal::BlobReader;
use registry::with_causes;

use super::remove::remove_any;
use super::state_time::modified;
use super::verify::{digest, regular};
use super::{LockedTree, StateTime, is_missing};
use crate::address::{Document, Lifetime};
use crate::render::Package;

pub use document::Siblings;

/// Files that could not be written, each with the reason.
#[derive(Debug, Default, thiserror::Error)]
#[error("{} files of the tree could not be written, the first is {}", .0.len(), .0.first().map_or(String::new(), |(file, why)| format!("{file} ({})", with_causes(why))))]
pub struct Failures(pub Vec<(String, io::Error)>);

impl LockedTree {
    /// Writes a package, unless it exists. Its immutable address gets a copy (a clone, if the file
    /// system can); other addresses get hard links to that. Returns whether anything was written.
    pub fn put_package(
        &self,
        document: &Document,
        package: &Package,
        open: impl FnOnce() -> io::Result<Box<dyn BlobReader>>,
        at: StateTime,
    ) -> io::Result<bool> {
        let put = self.put_package_file(document, package, open, at);
        match put {
            Ok(false) => {}
            Ok(true) => self.observers.iter().for_each(|observer| observer.stored(document)),
            Err(_) => self.removed(document),
        }
        put
    }

    fn put_package_file(
        &self,
        document: &Document,
        package: &Package,
        open: impl FnOnce() -> io::Result<Box<dyn BlobReader>>,
        at: StateTime,
    ) -> io::Result<bool> {
        let (path, home_path) = (self.tree.place(document)?, self.tree.place(&package.home)?);
        let before = regular(&path);
        let home = if *document == package.home { None } else { regular(&home_path) };
        let same_file = |a: &Metadata, b: &Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
        if let Some(before) = &before {
            let linked = home.as_ref().is_some_and(|home| same_file(before, home));
            if linked || (before.len() == package.size && digest(&path)? == package.sha256) {
                return Ok(false);
            }
        }
        let replaced = modified(before.as_ref());
        if let Some(home) = home.filter(|home| home.len() == package.size) {
            // An address whose package changes must not get an older time.
            let moves_on = document.lifetime() == Lifetime::Immutable || replaced < home.modified().ok();
            if moves_on && self.link(&home_path, &path).is_ok() {
                return Ok(true);
            }
        }
        let mut blob = open()?;
        self.replace(&path, at.after(replaced), |file| blob.copy_to(file))?;
        Ok(true)
    }

    /// Removes a document, and folders that are empty without it. Returns whether it existed.
    ///
    /// The gzip sibling goes first, because hosts serve it even without the document.
    pub fn remove(&self, document: &Document) -> io::Result<bool> {
        let removed = self.remove_files(document);
        self.removed(document);
        removed
    }

    /// Reports the removal of a document.
    pub(super) fn removed(&self, document: &Document) {
        self.observers.iter().for_each(|observer| observer.removed(document));
    }

    fn remove_files(&self, document: &Document) -> io::Result<bool> {
        if let Some(sibling) = self.tree.gzip_path(document) {
            remove_any(&sibling)?;
        }
        let Some(path) = self.tree.path(document) else { return Ok(false) };
        match fs::remove_file(&path) {
            Err(why) if is_missing(&why) => return Ok(false),
            removed => removed?,
        }
        let parents = path.ancestors().skip(1).take_while(|parent| *parent != self.tree.root());
        // Stops at the first folder that is not empty.
        parents.take_while(|parent| fs::remove_dir(parent).is_ok()).for_each(drop);
        Ok(true)
    }

    /// The temporary file of this thread, which writes one document at a time.
    pub(super) fn temporary_file(&self) -> PathBuf {
        static THREADS: AtomicU64 = AtomicU64::new(0);
        thread_local! {
            static NAME: String = THREADS.fetch_add(1, Ordering::Relaxed).to_string();
        }
        NAME.with(|name| self.temporary.join(name))
    }

    pub(super) fn replace(
        &self,
        path: &Path,
        modified: SystemTime,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        if let Some(file) = self.create(path)? {
            return finish(file, modified, fill);
        }
        let temporary = self.temporary_file();
        let moved = self.fill(&temporary, modified, fill).and_then(|()| self.rename(&temporary, path));
        if moved.is_err() {
            // A full disk needs the space. The first error matters more than this one.
            let _ = fs::remove_file(&temporary);
        }
        moved
    }

    /// Writes a complete temporary file with its modification time.
    pub(super) fn fill(
        &self,
        temporary: &Path,
        modified: SystemTime,
        fill: impl FnOnce(&mut File) -> io::Result<()>,
    ) -> io::Result<()> {
        let file = match File::create_new(temporary) {
            // A write that failed has left it. Truncating would change published files that are hard links to it.
            Err(why) if why.kind() == io::ErrorKind::AlreadyExists => {
                fs::remove_file(temporary)?;
                File::create_new(temporary)?
            }
            created => created?,
        };
        finish(file, modified, fill)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        match fs::hard_link(from, to) {
            Ok(()) => return Ok(()),
            Err(why) if why.kind() == io::ErrorKind::NotFound => {
                self.make_parents(to)?;
                return fs::hard_link(from, to);
            }
            // A file exists and must be replaced atomically.
            Err(_) => {}
        }
        let temporary = self.temporary_file();
        let _ = fs::remove_file(&temporary);
        fs::hard_link(from, &temporary)?;
        let moved = self.rename(&temporary, to);
        if moved.is_err() {
            // The next file of this name would be written into `from`.
            fs::remove_file(&temporary)?;
        }
        moved
    }

    pub(super) fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let error = match fs::rename(from, to) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => self.make_parents(to)?,
            // Somebody has put a folder where a file belongs.
            io::ErrorKind::IsADirectory => fs::remove_dir_all(to)?,
            _ => return Err(error),
        }
        fs::rename(from, to)
    }

    /// Creates the folders above a file. Files that block them are removed: only somebody's mistake
    /// can put one there.
    pub(super) fn make_parents(&self, file: &Path) -> io::Result<()> {
        let parent = file.parent().unwrap_or(self.tree.root());
        match fs::create_dir_all(parent) {
            Err(why) if matches!(why.kind(), io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory) => {
            }
            made => return made,
        }
        let in_the_way = |folder: &&Path| fs::symlink_metadata(folder).is_ok_and(|meta| !meta.is_dir());
        let above = parent.ancestors().take_while(|folder| *folder != self.tree.root());
        if let Some(folder) = above.filter(in_the_way).last() {
            match fs::remove_file(folder) {
                // Another thread was first, and may already have created the folder.
                Err(why) if !matches!(why.kind(), io::ErrorKind::NotFound | io::ErrorKind::IsADirectory) => {
                    return Err(why);
                }
                _ => {}
            }
        }
        fs::create_dir_all(parent)
    }
}

/// Fills a new file and sets its modification time.
pub(super) fn finish(
    mut file: File,
    modified: SystemTime,
    fill: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    fill(&mut file)?;
    file.set_modified(modified)
}
