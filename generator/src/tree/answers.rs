//! The answers to common queries, which are removed all at once where nothing is
//! known of them.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{LockedTree, Tree, entries};
use crate::address::Document;

/// Of so many the files are removed before anything else is done.
const AT_ONCE: usize = 1000;

/// What they are moved to, among the temporary files, to be removed there.
const NAME: &str = "answers";

impl Tree {
    /// The folder that has one for each query.
    fn answers_folder(&self) -> io::Result<PathBuf> {
        // That of any query has its pages in two folders.
        let place = self.place(&Document::answer("q"))?;
        place.ancestors().nth(3).map(ToOwned::to_owned).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    /// The queries that have an answer in the tree.
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
    /// Removes all answers to queries, from one moment to the next. Where they are
    /// many, most of their files go behind our back; what a killed process leaves
    /// of them is cleared at the next start.
    pub(crate) fn clear_answers(&self) -> io::Result<()> {
        let folder = self.tree.answers_folder()?;
        let aside = unused(&self.temporary)?;
        match fs::rename(&folder, &aside) {
            Ok(()) => {}
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(why) => return Err(why),
        }
        self.invalidated();
        for entry in fs::read_dir(&aside)?.take(AT_ONCE) {
            fs::remove_dir_all(entry?.path())?;
        }
        if fs::remove_dir(&aside).is_ok() {
            return Ok(());
        }
        rayon::spawn(move || drop(fs::remove_dir_all(aside)));
        Ok(())
    }
}

/// A name that nothing has in a folder.
fn unused(folder: &Path) -> io::Result<PathBuf> {
    let names = (0u32..).map(|number| folder.join(format!("{NAME}-{number}")));
    for name in names {
        if !name.try_exists()? {
            return Ok(name);
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}
