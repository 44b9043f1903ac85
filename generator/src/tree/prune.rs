//! What is in the tree and does not belong there.

use std::io;
use std::path::{Path, PathBuf};

use registry::public::PublicCatalog;
use walkdir::{DirEntry, WalkDir};

use super::{LockedTree, Tree};
use crate::address::{exists, locate};
use crate::settings::TreeSettings;

impl Tree {
    /// Every file that is no document of this revision, and every empty folder.
    pub(super) fn strangers(
        &self,
        catalog: &PublicCatalog,
        settings: &TreeSettings,
    ) -> impl Iterator<Item = io::Result<DirEntry>> {
        let entries = WalkDir::new(self.root()).min_depth(1).contents_first(true).into_iter();
        entries.filter_map(move |entry| match entry {
            Ok(entry) if self.belongs(&entry, catalog, settings) => None,
            Ok(entry) => Some(Ok(entry)),
            Err(why) => Some(Err(why.into())),
        })
    }

    fn belongs(&self, entry: &DirEntry, catalog: &PublicCatalog, settings: &TreeSettings) -> bool {
        if entry.file_type().is_dir() {
            return std::fs::read_dir(entry.path()).is_ok_and(|mut entries| entries.next().is_some());
        }
        let relative = self.relative(entry.path());
        let document = relative.and_then(|file| Some((locate(&format!("/{file}"), "").ok()??, file)));
        entry.file_type().is_file()
            && document.is_some_and(|(document, file)| {
                document.file() == file && exists(catalog, settings, &document)
            })
    }

    /// A path in the tree as documents write it. None for what is no text.
    fn relative(&self, path: &Path) -> Option<String> {
        let relative: PathBuf = path.strip_prefix(self.root()).ok()?.into();
        relative.into_os_string().into_string().ok()
    }
}

impl LockedTree {
    /// Removes what is no document of this revision. Returns how much that was.
    pub fn prune(&self, catalog: &PublicCatalog, settings: &TreeSettings) -> io::Result<u64> {
        let mut removed = 0;
        for entry in self.tree.strangers(catalog, settings) {
            let entry = entry?;
            // A folder comes after its contents, and is empty then if nothing in it belongs.
            if entry.file_type().is_dir() {
                std::fs::remove_dir(entry.path())?;
            } else {
                std::fs::remove_file(entry.path())?;
                removed += 1;
            }
        }
        Ok(removed)
    }
}
