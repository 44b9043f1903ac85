//! Finds the files of a skill's folder.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Arc, OnceLock};

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

/// All ignore files of a folder.
const IGNORE_FILES: [&str; 2] = [".gitignore", IGNORE_FILE];

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
        let repository = folder.ancestors().find(|parent| parent.join(".git").exists());
        let in_repository = repository.is_some();
        let top = repository.unwrap_or(&folder);
        folder.ancestors().take_while(|parent| parent.starts_with(top)).try_for_each(check_ignore_files)?;
        walk.git_ignore(true).git_exclude(true).git_global(true);
        walk.parents(in_repository).require_git(in_repository);
        walk.add_custom_ignore_filename(IGNORE_FILE);
    }
    let unusable = Arc::new(OnceLock::new());
    let found = Arc::clone(&unusable);
    // In a worktree or submodule `.git` is a file.
    walk.filter_entry(move |entry| entry.file_name() != ".git" && is_usable(entry, ignored, &found));
    let entries = walk.build().filter_map(move |entry| match entry {
        Ok(entry) => match check(&entry, ignored) {
            Ok(true) => Some(Ok(entry)),
            Ok(false) => None,
            Err(why) => Some(Err(why)),
        },
        Err(why) => Some(Err(why.to_string())),
    });
    Ok(entries.chain(std::iter::once_with(move || unusable.get().cloned().map(Err)).flatten()))
}

/// Whether the ignore files of an entry can be read. The first error is kept in `unusable`.
fn is_usable(entry: &DirEntry, ignored: IgnoredFiles, unusable: &OnceLock<String>) -> bool {
    let has_ignore_files = ignored == IgnoredFiles::LeaveOut && is_folder(entry);
    let checked = if has_ignore_files { check_ignore_files(entry.path()) } else { Ok(()) };
    checked.map_err(|why| unusable.set(why)).is_ok()
}

/// Checks that the ignore files of a folder are regular files, before they are read: reading a pipe
/// or a device, also behind a link, would never end.
fn check_ignore_files(folder: &Path) -> Result<(), String> {
    for path in IGNORE_FILES.map(|name| folder.join(name)) {
        if path.symlink_metadata().is_ok() {
            let opened = regular_file::open(&path, Links::Follow);
            opened.map_err(|why| format!("cannot read {}: {why}", path.display()))?;
        }
    }
    Ok(())
}

/// Whether an entry is a file to publish. Fails if an ignore file cannot be used, because then
/// more files would be published than the user wants.
fn check(entry: &DirEntry, ignored: IgnoredFiles) -> Result<bool, String> {
    if let Some(why) = entry.error() {
        return Err(format!("an ignore file has an invalid pattern: {why}"));
    }
    let is_ignore_file = IGNORE_FILES.iter().any(|name| entry.file_name() == *name);
    let is_left_out = ignored == IgnoredFiles::LeaveOut && is_ignore_file;
    Ok(!is_folder(entry) && !is_left_out)
}

fn is_folder(entry: &DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}
