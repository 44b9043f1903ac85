//! What changed from one version to the next, by the records of their files.

use std::collections::BTreeMap;

use registry::package::FileRecord;
use serde::Serialize;

use crate::pages::file_anchor;

/// The most changed files that a page lists. Each file of the version also says whether it changed.
const MAX_LISTED: usize = 100;

/// What became of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Change {
    Added,
    Changed,
    Removed,
}

/// A file that is not as it was.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedFile<'a> {
    path: &'a str,
    change: Change,
    size_before: Option<u64>,
    size: Option<u64>,
    /// The anchor of the file on the page, unless it was removed.
    anchor: Option<String>,
}

/// All changes.
#[derive(Debug, Serialize)]
pub(super) struct Changes<'a> {
    added: usize,
    changed: usize,
    removed: usize,
    /// The first of them, by path.
    files: Vec<ChangedFile<'a>>,
    #[serde(skip)]
    by_path: BTreeMap<&'a str, Change>,
}

impl<'a> Changes<'a> {
    /// Compares two lists of files.
    pub(super) fn between(before: &'a [FileRecord], now: &'a [FileRecord]) -> Self {
        let old: BTreeMap<_, _> = before.iter().map(|file| (&*file.path, file)).collect();
        let new: BTreeMap<_, _> = now.iter().zip(0..).map(|(file, at)| (&*file.path, (file, at))).collect();
        let mut by_path = BTreeMap::new();
        for (path, (file, _)) in &new {
            match old.get(path) {
                None => drop(by_path.insert(*path, Change::Added)),
                Some(old) if old.sha256 != file.sha256 || old.executable != file.executable => {
                    by_path.insert(*path, Change::Changed);
                }
                Some(_) => {}
            }
        }
        by_path
            .extend(old.keys().filter(|path| !new.contains_key(*path)).map(|path| (*path, Change::Removed)));
        let files = by_path.iter().take(MAX_LISTED).map(|(path, change)| ChangedFile {
            path,
            change: *change,
            size_before: old.get(path).map(|file| file.size),
            size: new.get(path).map(|(file, _)| file.size),
            anchor: new.get(path).map(|(_, at)| file_anchor(*at)),
        });
        let files = files.collect();
        let count = |wanted| by_path.values().filter(|change| **change == wanted).count();
        let (added, changed) = (count(Change::Added), count(Change::Changed));
        Self { added, changed, removed: count(Change::Removed), files, by_path }
    }

    /// What became of the file at `path`. `None` if it is as it was.
    pub(super) fn of(&self, path: &str) -> Option<Change> {
        self.by_path.get(path).copied()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use registry::names::Digest;

    use super::*;

    fn file(path: &str, content: &str, executable: bool) -> FileRecord {
        let (size, sha256) = (content.len() as u64, Digest::of(content.as_bytes()));
        FileRecord { path: path.into(), size, sha256, content_type: "text/plain".into(), executable }
    }

    #[test]
    fn files_are_added_changed_and_removed() {
        let before =
            [file("a", "1", false), file("b", "1", false), file("c", "1", false), file("d", "1", false)];
        let now = [file("a", "1", false), file("b", "22", false), file("d", "1", true), file("e", "", false)];
        let changes = Changes::between(&before, &now);
        assert_eq!((changes.added, changes.changed, changes.removed), (1, 2, 1));
        let listed: Vec<_> =
            changes.files.iter().map(|file| (file.path, file.change, file.anchor.as_deref())).collect();
        assert_eq!(
            listed,
            [
                ("b", Change::Changed, Some("file-2")),
                ("c", Change::Removed, None),
                ("d", Change::Changed, Some("file-3")),
                ("e", Change::Added, Some("file-4")),
            ]
        );
        assert_eq!((changes.of("a"), changes.of("e")), (None, Some(Change::Added)));
    }

    #[test]
    fn page_lists_a_limited_number_of_files() {
        let now: Vec<_> = (0..300).map(|number| file(&format!("{number:03}"), "", false)).collect();
        let changes = Changes::between(&[], &now);
        assert_eq!((changes.added, changes.files.len()), (300, MAX_LISTED));
    }
}
