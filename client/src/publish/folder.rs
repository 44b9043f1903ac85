//! Finds the files of a skill's folder.

use std::ffi::OsStr;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
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

/// The most patterns and bytes of all ignore files together. Each pattern costs some KiB of memory, and the files
/// may have come with somebody else's project.
const MAX_PATTERNS: u64 = 5_000;
const MAX_PATTERN_BYTES: u64 = 256 << 10;

/// Walks through the files of `folder`, sorted by name. Folders are left out, and so is `.git`.
pub(super) fn files(
    folder: &Path,
    ignored: IgnoredFiles,
) -> Result<impl Iterator<Item = Result<DirEntry, String>>, String> {
    let folder = folder.canonicalize().map_err(|why| why.to_string())?;
    let mut walk = WalkBuilder::new(&folder);
    walk.standard_filters(false).sort_by_file_name(OsStr::cmp);
    let budget = PatternBudget::default();
    if ignored == IgnoredFiles::LeaveOut {
        // Outside of a repository, the ignore files of parent folders are about something else.
        let repository = folder.ancestors().find(|parent| parent.join(".git").exists());
        let in_repository = repository.is_some();
        let top = repository.unwrap_or(&folder);
        let mut folders = folder.ancestors().take_while(|parent| parent.starts_with(top));
        folders.try_for_each(|folder| budget.check_folder(folder))?;
        budget.check_file(&top.join(".git/info/exclude"))?;
        walk.git_ignore(true).git_exclude(true).git_global(true);
        walk.parents(in_repository).require_git(in_repository);
        walk.add_custom_ignore_filename(IGNORE_FILE);
    }
    let unusable = Arc::new(OnceLock::new());
    let found = Arc::clone(&unusable);
    // In a worktree or submodule `.git` is a file.
    walk.filter_entry(move |entry| entry.file_name() != ".git" && is_usable(entry, ignored, &budget, &found));
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
fn is_usable(
    entry: &DirEntry,
    ignored: IgnoredFiles,
    budget: &PatternBudget,
    unusable: &OnceLock<String>,
) -> bool {
    let has_ignore_files = ignored == IgnoredFiles::LeaveOut && is_folder(entry);
    let checked = if has_ignore_files { budget.check_folder(entry.path()) } else { Ok(()) };
    checked.map_err(|why| unusable.set(why)).is_ok()
}

/// Patterns and bytes of the ignore files so far.
#[derive(Default)]
struct PatternBudget {
    patterns: AtomicU64,
    bytes: AtomicU64,
}

impl PatternBudget {
    /// Checks the ignore files of a folder, before they are read.
    fn check_folder(&self, folder: &Path) -> Result<(), String> {
        IGNORE_FILES.iter().try_for_each(|name| self.check_file(&folder.join(name)))
    }

    /// Checks that an ignore file, if it exists, is a regular file and not too large: reading a pipe or a device, also
    /// behind a link, would never end.
    fn check_file(&self, path: &Path) -> Result<(), String> {
        if path.symlink_metadata().is_err() {
            return Ok(());
        }
        let unreadable = |why: io::Error| format!("cannot read {}: {why}", path.display());
        let too_large = || {
            format!(
                "the ignore files have more than {MAX_PATTERNS} patterns or {} KiB together, with {}: shorten it, or \
                 publish a zip",
                MAX_PATTERN_BYTES >> 10,
                path.display()
            )
        };
        let mut text = Vec::new();
        let file = regular_file::open(path, Links::Follow).map_err(unreadable)?;
        file.take(MAX_PATTERN_BYTES + 1).read_to_end(&mut text).map_err(unreadable)?;
        let is_pattern = |line: &&[u8]| !line.trim_ascii().is_empty() && !line.starts_with(b"#");
        let patterns = text.split(|byte| *byte == b'\n').filter(is_pattern).count() as u64;
        let bytes = text.len() as u64;
        let patterns = self.patterns.fetch_add(patterns, Ordering::Relaxed) + patterns;
        let bytes = self.bytes.fetch_add(bytes, Ordering::Relaxed) + bytes;
        if patterns > MAX_PATTERNS || bytes > MAX_PATTERN_BYTES { Err(too_large()) } else { Ok(()) }
    }
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
