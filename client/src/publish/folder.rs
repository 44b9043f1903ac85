//! Finds the files of a skill's folder.

use std::ffi::OsStr;
use std::path::Path;

use ignore::{DirEntry, WalkBuilder};

use crate::regular_file::{self, Links};

/// What happens to files that git ignores, or that a `.skillmirrorignore` names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IgnoredFiles {
    /// They are part of the package, and so are the ignore files.
    Include,
    /// They are left out, and so are the ignore files.
    LeaveOut,
}

/// The file with further patterns, in the form of `.gitignore`. Its patterns take precedence.
const IGNORE_FILE: &str = ".skillmirrorignore";

/// Walks through the files of `folder`, sorted by name. Folders are left out, and so is `.git`.
pub(super) fn files(
    folder: &Path,
    ignored: IgnoredFiles,
) -> Result<impl Iterator<Item = Result<DirEntry, String>>, String> {
    let folder = folder.canonicalize().map_err(|why| why.to_string())?;
    let mut walk = WalkBuilder::new(&folder);
    walk.standard_filters(false).sort_by_file_name(OsStr::cmp);
    if ignored == IgnoredFiles::LeaveOut {
        // Outside of a repository, the ignore files of parent folders are about something else.
        let in_repository = folder.ancestors().any(|parent| parent.join(".git").exists());
        walk.git_ignore(true).git_exclude(true).git_global(true);
        walk.parents(in_repository).require_git(in_repository);
        walk.add_custom_ignore_filename(IGNORE_FILE);
    }
    // In a worktree or submodule it is a file.
    walk.filter_entry(|entry| entry.file_name() != ".git");
    Ok(walk.build().filter_map(move |entry| match entry {
        Ok(entry) => match check(&entry, ignored) {
            Ok(true) => Some(Ok(entry)),
            Ok(false) => None,
            Err(why) => Some(Err(why)),
        },
        Err(why) => Some(Err(why.to_string())),
    }))
}

/// Whether an entry is a file to publish. Fails if an ignore file cannot be used, because then
/// more files would be published than the user wants.
fn check(entry: &DirEntry, ignored: IgnoredFiles) -> Result<bool, String> {
    if let Some(why) = entry.error() {
        return Err(format!("an ignore file has an invalid pattern: {why}"));
    }
    let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
    let is_ignore_file = [".gitignore", IGNORE_FILE].iter().any(|name| entry.file_name() == *name);
    if ignored == IgnoredFiles::Include || is_folder || !is_ignore_file {
        return Ok(!is_folder);
    }
    let opened = regular_file::open(entry.path(), Links::Follow);
    opened.map_err(|why| format!("cannot read {}: {why}", entry.path().display()))?;
    Ok(false)
}
