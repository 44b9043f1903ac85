//! The paths of a package: junk is dropped, and one top folder is stripped.

use std::collections::BTreeMap;

use super::entry::{PlacedEntry, RawEntry};
use super::finding::{Finding, Findings};
use super::finding_codes;
use super::largest_folder;
use super::limits::Limits;
use super::path::{self, PackagePath};
use super::path_set;

/// The files of a package, sorted by path bytes.
pub(super) struct Layout<B> {
    pub files: Vec<PlacedEntry<B>>,
    /// Folders that have entries of their own.
    pub folders: Vec<PlacedEntry<B>>,
    /// The entry of the top folder, and folders beside it. They are not part of the
    /// package.
    pub outside: Vec<PlacedEntry<B>>,
    /// The top folder that was stripped.
    pub top: Option<String>,
}

/// Checks the paths of the entries. Invalid paths are errors. Dropped junk is one warning
/// for each folder or file.
pub(super) fn arrange<B>(entries: Vec<RawEntry<B>>, limits: &Limits, findings: &mut Findings) -> Layout<B> {
    let kept = drop_junk(entries, findings);
    let top = top_folder(&kept);
    let prefix = top.as_ref().map(|top| format!("{top}/"));
    let (mut files, mut folders, mut outside) = (Vec::new(), Vec::new(), Vec::new());
    for entry in kept {
        let inside = prefix.as_deref().and_then(|prefix| entry.name.strip_prefix(prefix));
        let path = match PackagePath::parse(inside.unwrap_or(&entry.name)) {
            Ok(path) => path,
            Err(finding) => {
                findings.error(finding);
                continue;
            }
        };
        let placed = PlacedEntry { path, executable: entry.executable, body: entry.body };
        if !entry.folder {
            files.push(placed);
        } else if inside.is_some() || prefix.is_none() {
            folders.push(placed);
        } else {
            outside.push(placed);
        }
    }
    if files.len() > limits.files {
        let mut why = format!("the package has {} files: at most {} are allowed", files.len(), limits.files);
        if let Some(folder) = largest_folder::find(files.iter().map(|file| (file.path.as_str(), 1))) {
            why += &format!(", and most are in `{folder}`: leave that folder out");
        }
        findings.error(Finding::new(finding_codes::TOO_MANY_FILES, why));
    } else {
        // Comparing is the most expensive check of paths, so it is not done for too many.
        let folders = folders.iter().map(|folder| &folder.path);
        path_set::check(files.iter().map(|file| &file.path), folders, findings);
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Layout { files, folders, outside, top }
}

/// Strips leading `./` and drops junk.
fn drop_junk<B>(entries: Vec<RawEntry<B>>, findings: &mut Findings) -> Vec<RawEntry<B>> {
    let mut dropped: BTreeMap<String, usize> = BTreeMap::new();
    let mut kept = Vec::with_capacity(entries.len());
    for mut entry in entries {
        let leading = entry.name.len() - entry.name.trim_start_matches("./").len();
        entry.name.drain(..leading);
        if entry.folder && entry.name == "." {
            continue;
        }
        // A dangerous path is an error even in junk.
        let harmless = || PackagePath::parse(&entry.name).map_or_else(|f| !path::is_dangerous(&f), |_| true);
        match junk_root(&entry.name) {
            Some(root) if harmless() => *dropped.entry(root.to_owned()).or_default() += 1,
            _ => kept.push(entry),
        }
    }
    for (root, count) in dropped {
        let entries = if count == 1 { "entry was".into() } else { format!("{count} entries were") };
        let why = format!("{entries} left out: not part of a skill");
        findings.warn(Finding::new(finding_codes::JUNK_DROPPED, why).in_file(&root));
    }
    kept
}

/// The part of a path that makes it junk: files of operating systems, version control and
/// installed dependencies.
fn junk_root(path: &str) -> Option<&str> {
    const JUNK: [&str; 5] = ["__macosx", ".ds_store", ".git", "node_modules", "thumbs.db"];
    let mut start = 0;
    for piece in path.split('/') {
        let end = start + piece.len();
        // Many file systems ignore letter case, so git would use `.GIT` as `.git`.
        // A longer piece than a path may have is an error anyway.
        let junk = (piece.len() <= path::MAX_BYTES && JUNK.contains(&path_set::folded(piece).as_str()))
            || (piece.starts_with("._") && end == path.len());
        if junk {
            return path.get(..end);
        }
        start = end + 1;
    }
    None
}

/// The top folder that contains all files, if any.
fn top_folder<B>(entries: &[RawEntry<B>]) -> Option<String> {
    let mut tops = entries.iter().filter(|e| !e.folder).map(|e| e.name.split_once('/').map(|(top, _)| top));
    let first = tops.next()??;
    let alone = tops.all(|top| top == Some(first));
    (alone && PackagePath::parse(first).is_ok()).then(|| first.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(names: &[&str]) -> (Vec<String>, Option<String>, Findings) {
        let entries = names.iter().map(|name| RawEntry {
            name: name.trim_end_matches('/').to_owned(),
            folder: name.ends_with('/'),
            executable: false,
            body: (),
        });
        let mut findings = Findings::default();
        let layout = arrange(entries.collect(), &Limits::default(), &mut findings);
        (layout.files.into_iter().map(|f| f.path.as_str().to_owned()).collect(), layout.top, findings)
    }

    #[test]
    fn one_top_folder_is_stripped() {
        let (files, top, _) = place(&["x/", "x/SKILL.md", "x/y/", "x/y/a", "__MACOSX/x/._SKILL.md"]);
        assert_eq!((files, top.as_deref()), (vec!["SKILL.md".into(), "y/a".into()], Some("x")));
        let many = "./".repeat(32_000) + "c";
        let (files, top, _) = place(&["./SKILL.md", "././b/a", &many]);
        assert_eq!((files, top), (vec!["SKILL.md".to_owned(), "b/a".into(), "c".into()], None));
        let (files, top, mut findings) = place(&["../SKILL.md", "../a"]);
        assert_eq!((files.len(), top), (0, None));
        assert_eq!(findings.take_errors().unwrap_err().findings.len(), 2);
        let (_, top, mut findings) = place(&["/SKILL.md"]);
        assert!(top.is_none() && findings.take_errors().is_err());
    }

    #[test]
    fn junk_is_dropped_with_a_warning_for_each_root() {
        let names = [
            "SKILL.md",
            "a/.DS_Store",
            "._x",
            "b/Thumbs.db",
            ".git/HEAD",
            ".git/a/b",
            "x/node_modules/aux.js",
        ];
        let (files, _, mut findings) = place(&names);
        assert_eq!(files, ["SKILL.md"]);
        assert!(findings.take_errors().is_ok());
        let warned: Vec<_> = findings.into_warnings().into_iter().filter_map(|w| w.path).collect();
        assert_eq!(warned, ["._x", ".git", "a/.DS_Store", "b/Thumbs.db", "x/node_modules"]);
        let (_, _, mut findings) = place(&["SKILL.md", "node_modules/../../x"]);
        assert_eq!(findings.take_errors().unwrap_err().findings[0].code, finding_codes::PATH_TRAVERSAL);
    }
}
