//! The precomputed answers to common queries.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{LockedTree, Tree, entries};
use crate::address::Document;

/// This many folders are removed at once; the others in the background.
const MAX_REMOVED_AT_ONCE: usize = 1000;

/// The prefix of the temporary folder in which they are removed.
const PREFIX: &str = "answers";

impl Tree {
    /// The folder with one folder per query.
    fn answers_folder(&self) -> io::Result<PathBuf> {
        // An answer's file is three levels below: query, page size, page.
        let place = self.place(&Document::answer("q"))?;
        place.ancestors().nth(3).map(ToOwned::to_owned).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The queries with an answer in the tree.
    pub(crate) fn queries(&self) -> io::Result<BTreeSet<String>> {
        let mut queries = BTreeSet::new();
        for entry in entries(&self.answers_folder()?)? {
            let Ok(query) = entry.file_name().into_string() else { continue };
            if self.open(&Document::answer(&query)).is_ok_and(|file| file.is_some()) {
                queries.insert(query);
            }
        }
        Ok(queries)
    }
}

impl LockedTree {
    /// Removes all answers: readers see all of them or none. Most files of many are removed in the
    /// background. The next start clears what a killed process leaves.
    pub(crate) fn clear_answers(&self) -> io::Result<()> {
        let folder = self.tree.answers_folder()?;
        let aside = unused(&self.temporary)?;
        match fs::rename(&folder, &aside) {
            Ok(()) => {}
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(why),
        }
        self.invalidated();
        for entry in fs::read_dir(&aside)?.take(MAX_REMOVED_AT_ONCE) {
            fs::remove_dir_all(entry?.path())?;
        }
        if fs::remove_dir(&aside).is_ok() {
            return Ok(());
        }
        rayon::spawn(move || drop(fs::remove_dir_all(aside)));
        Ok(())
    }
}

/// An unused name in a folder.
fn unused(folder: &Path) -> io::Result<PathBuf> {
    let names = (0u32..).map(|number| folder.join(format!("{PREFIX}-{number}")));
    for name in names {
        if !name.try_exists()? {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
