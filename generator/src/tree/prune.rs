//! Finds and removes the unknown files of a tree.

use std::io;
use std::path::Path;

use walkdir::{DirEntry, WalkDir};

use super::verify::regular;
use super::{LockedTree, TEMPORARY, Tree};
use crate::address::{Document, Form, of_file};
use crate::settings::TreeSettings;

impl Tree {
    /// Lists every file that is not an existing document or its gzip sibling, and every empty
    /// folder. Contents come before their folder. Expired pieces of the search index are known.
    pub(super) fn unknown_files(
        &self,
        settings: &TreeSettings,
        exists: impl Fn(&Document) -> bool,
    ) -> impl Iterator<Item = io::Result<DirEntry>> {
        let entries = WalkDir::new(self.root()).min_depth(1).contents_first(true).into_iter();
        entries.filter_map(move |entry| match entry {
            Ok(entry) if self.belongs(&entry, settings, &exists) => None,
            Ok(entry) => Some(Ok(entry)),
            Err(why) => Some(Err(why.into())),
        })
    }

    /// Whether every file at or below a path in the tree has the name of a document's file.
    pub(super) fn has_only_documents(&self, path: &Path) -> bool {
        let is_document = |entry: &DirEntry| {
            let relative = self.relative(entry.path());
            relative.is_some_and(|path| path.starts_with(TEMPORARY) || of_file(path).is_some())
        };
        let mut entries = WalkDir::new(path).into_iter();
        entries.all(|entry| entry.is_ok_and(|entry| entry.file_type().is_dir() || is_document(&entry)))
    }

    fn belongs(
        &self,
        entry: &DirEntry,
        settings: &TreeSettings,
        exists: &impl Fn(&Document) -> bool,
    ) -> bool {
        let Some(relative) = self.relative(entry.path()) else { return false };
        if relative.split('/').next() == Some(TEMPORARY) {
            return true;
        }
        if entry.file_type().is_dir() {
            return std::fs::read_dir(entry.path()).is_ok_and(|mut entries| entries.next().is_some());
        }
        let Some((document, form)) = of_file(relative) else { return false };
        let has_form = form == Form::Plain || self.is_compressed(&document, settings);
        let is_piece = matches!(document, Document::SearchPiece(_));
        entry.file_type().is_file() && has_form && (is_piece || exists(&document))
    }

    /// Whether a document with its file's length has a gzip sibling.
    fn is_compressed(&self, document: &Document, settings: &TreeSettings) -> bool {
        let file = self.path(document).and_then(|path| regular(&path));
        file.is_some_and(|file| settings.compresses(document, file.len()))
    }

    /// A path relative to the tree. `None` if it is not UTF-8.
    fn relative<'a>(&self, path: &'a Path) -> Option<&'a str> {
        path.strip_prefix(self.root()).ok()?.to_str()
    }
}

impl LockedTree {
    /// Removes all unknown files and folders. Returns the number of files.
    pub fn prune(&self, settings: &TreeSettings, exists: impl Fn(&Document) -> bool) -> io::Result<u64> {
        let mut removed = 0;
        for entry in self.tree.unknown_files(settings, exists) {
            let entry = entry?;
            // A folder comes after its contents, so it is empty by now unless a document is in it.
            if entry.file_type().is_dir() {
                std::fs::remove_dir(entry.path())?;
            } else {
                std::fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
        self.invalidated();
        Ok(removed)
    }
}
