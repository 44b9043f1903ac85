//! Inspects the files of an installed skill, and finds changes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

use registry::names::{Digest, NameError};
use registry::package::{Litter, LitterKind, Unpacked, litter};
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

use crate::install::error::{InstallError, at};
use crate::platform::{self, HAS_EXECUTABLE_BIT};

/// The mode and digest of a file. Its text is the mode, a space and the sha256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct FileMark {
    /// Whether the file is executable: mode 0755 instead of 0644.
    pub executable: bool,
    /// The digest of the bytes.
    pub sha256: Digest,
}

/// The files of a skill, by their relative paths with `/`.
pub type FileMarks = BTreeMap<String, FileMark>;

/// The files found in the folder of a skill. None stands for files that no package has: links,
/// special files, and names that are not UTF-8.
pub(in crate::install) type FoundFiles = BTreeMap<String, Option<FileMark>>;

/// The state of the path where a skill belongs.
pub(in crate::install) enum FolderState {
    Missing,
    /// Something else than a folder, in words.
    NotAFolder(&'static str),
    /// A folder with these files.
    Folder(FoundFiles),
}

/// Inspects the path where a skill belongs. Follows no link.
pub(in crate::install) fn inspect(path: &Path) -> Result<FolderState, InstallError> {
    read_state(path).map_err(at("cannot inspect", path))
}

fn read_state(path: &Path) -> io::Result<FolderState> {
    let metadata = match fs::symlink_metadata(path) {
        Ok(metadata) => metadata,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(FolderState::Missing),
        Err(why) => return Err(why),
    };
    if metadata.is_symlink() {
        return Ok(FolderState::NotAFolder("a symbolic link"));
    }
    if !metadata.is_dir() {
        return Ok(FolderState::NotAFolder("a file"));
    }
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(path).min_depth(1) {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let relative = entry.path().strip_prefix(path).unwrap_or(entry.path());
        let (name, is_plain) = match platform::slashed(relative) {
            Some(name) => (name, entry.file_type().is_file()),
            // It has a backslash, so it is different from the path of every file in a package.
            None => (format!("{relative:?}"), false),
        };
        let mark = if is_plain { Some(mark(entry.path(), &entry.metadata()?)?) } else { None };
        files.insert(name, mark);
    }
    Ok(FolderState::Folder(files))
}

/// Whether systems, tools or runs of the skill write such a file. It is no change of the skill, even if the
/// package has one too. Version control is somebody's work.
fn is_litter(path: &str) -> bool {
    litter(path).is_some_and(|litter| litter.kind != LitterKind::VersionControl)
}

fn mark(path: &Path, metadata: &Metadata) -> io::Result<FileMark> {
    let (sha256, _) = Digest::of_reader(File::open(path)?)?;
    let executable = platform::mode(metadata).is_some_and(|mode| mode & 0o100 != 0);
    Ok(FileMark { executable, sha256 })
}

/// The marks of the files of a package.
pub(in crate::install) fn marks(package: &Unpacked) -> FileMarks {
    let mark = |executable, sha256| FileMark { executable, sha256 };
    let files = package.files.iter();
    files.map(|file| (file.path.as_str().to_owned(), mark(file.executable, file.sha256))).collect()
}

/// The content digest of the found files. None if no package has such files. Litter counts as it was
/// installed.
pub(in crate::install) fn content_digest(installed: &FileMarks, found: &FoundFiles) -> Option<Digest> {
    let mut marks: BTreeMap<&str, FileMark> = BTreeMap::new();
    for (path, mark) in found.iter().filter(|(path, _)| !is_litter(path)) {
        let mark = mark.as_ref()?;
        // Without such a bit in the file system, that of the package is believed.
        let recorded = installed.get(path).filter(|_| !HAS_EXECUTABLE_BIT);
        marks.insert(path, FileMark { executable: recorded.unwrap_or(mark).executable, ..*mark });
    }
    marks.extend(
        installed.iter().filter(|(path, _)| is_litter(path)).map(|(path, mark)| (path.as_str(), *mark)),
    );
    let marks = marks.iter().map(|(path, mark)| (*path, mark.executable, &mark.sha256));
    Some(registry::package::content_digest(marks))
}

/// The folders and files of compiled scripts and dependencies that are not as installed. Programs run them
/// instead of or with the scripts beside them, even if they say something else, so nobody can vouch for a
/// folder that has some.
pub(in crate::install) fn foreign_code(installed: &FileMarks, found: &FoundFiles) -> Vec<String> {
    let mut roots = BTreeSet::new();
    for (path, mark) in found {
        let is_installed = || mark.is_some() && mark.as_ref() == installed.get(path);
        if let Some(Litter { root, kind: LitterKind::Code }) = litter(path).filter(|_| !is_installed()) {
            roots.insert(root);
        }
    }
    roots.into_iter().map(|root| root.escape_debug().to_string()).collect()
}

/// The files that differ from the installed ones, each with `(changed)`, `(gone)` or `(new)`. Litter
/// does not count.
pub(in crate::install) fn differences(installed: &FileMarks, found: &FoundFiles) -> Vec<String> {
    let gone = installed.keys().filter(|path| !found.contains_key(*path) && !is_litter(path));
    let gone = gone.map(|path| (path, "gone"));
    let other = found.iter().filter(|(path, _)| !is_litter(path)).filter_map(|(path, mark)| {
        let Some(was) = installed.get(path) else { return Some((path, "new")) };
        let is_same = |mark: &FileMark| {
            mark.sha256 == was.sha256 && (mark.executable == was.executable || !HAS_EXECUTABLE_BIT)
        };
        (!mark.as_ref().is_some_and(is_same)).then_some((path, "changed"))
    });
    let mut all: Vec<_> = gone.chain(other).collect();
    all.sort();
    all.into_iter().map(|(path, what)| format!("{} ({what})", path.escape_debug())).collect()
}

impl From<FileMark> for String {
    fn from(mark: FileMark) -> Self {
        format!("{} {}", if mark.executable { "0755" } else { "0644" }, mark.sha256)
    }
}

impl TryFrom<String> for FileMark {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (executable, sha256) = match text.split_once(' ') {
            Some(("0644", sha256)) => (false, sha256),
            Some(("0755", sha256)) => (true, sha256),
            _ => return Err("expected the mode 0644 or 0755, a space and a sha256".to_owned()),
        };
        let sha256 = sha256.parse().map_err(|why: NameError| why.to_string())?;
        Ok(Self { executable, sha256 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, executable: bool) -> FileMark {
        FileMark { executable, sha256: Digest::of(text.as_bytes()) }
    }

    #[test]
    fn differences_names_every_changed_file() {
        let installed: FileMarks = [("SKILL.md", "a"), ("b", "b"), ("c/d", "d"), ("x", "x")]
            .map(|(path, text)| (path.to_owned(), mark(text, false)))
            .into();
        let mut found: BTreeMap<String, Option<FileMark>> =
            installed.iter().map(|(path, mark)| (path.clone(), Some(*mark))).collect();
        assert_eq!(differences(&installed, &found), [""; 0]);
        for litter in
            [".DS_Store", "c/__pycache__/d.pyc", "c/._d", "node_modules/x/y.js", ".pytest_cache/v", "d.pyc"]
        {
            found.insert(litter.to_owned(), Some(mark("", false)));
        }
        assert_eq!(differences(&installed, &found), [""; 0]);
        found.insert("SKILL.md".into(), Some(mark("A", false)));
        found.insert("b".into(), Some(mark("b", true)));
        found.insert("x".into(), None);
        found.insert("new".into(), None);
        found.remove("c/d");
        let all = ["SKILL.md (changed)", "b (changed)", "c/d (gone)", "new (new)", "x (changed)"];
        assert_eq!(differences(&installed, &found), all);
    }

    #[test]
    fn content_digest_counts_what_a_package_may_have() {
        let installed: FileMarks = [("SKILL.md".to_owned(), mark("a", false))].into();
        let mut found: FoundFiles = [("SKILL.md".to_owned(), Some(mark("a", false)))].into();
        let digest = |found: &FoundFiles| content_digest(&installed, found);
        let expected = Digest::of(format!("SKILL.md\x000644\0{}\n", Digest::of(b"a")).as_bytes());
        assert_eq!(digest(&found), Some(expected));
        found.insert("a/__pycache__/b.pyc".into(), None);
        assert_eq!(digest(&found), Some(expected));
        let executable: FoundFiles = [("SKILL.md".to_owned(), Some(mark("a", true)))].into();
        assert_ne!(digest(&executable), Some(expected));
        found.insert("link".into(), None);
        assert_eq!(digest(&found), None);
    }

    #[test]
    fn litter_of_the_package_may_change_or_be_missing() {
        let installed: FileMarks = [("SKILL.md", "a"), ("__pycache__/a.pyc", "b")]
            .map(|(path, text)| (path.to_owned(), mark(text, false)))
            .into();
        let published =
            content_digest(&installed, &installed.iter().map(|(p, m)| (p.clone(), Some(*m))).collect());
        for pyc in [Some("b"), Some("other"), None] {
            let mut found: FoundFiles = [("SKILL.md".to_owned(), Some(mark("a", false)))].into();
            found.extend(pyc.map(|text| ("__pycache__/a.pyc".to_owned(), Some(mark(text, false)))));
            assert_eq!(differences(&installed, &found), [""; 0], "{pyc:?}");
            assert_eq!(content_digest(&installed, &found), published, "{pyc:?}");
            let foreign = foreign_code(&installed, &found);
            assert_eq!(foreign.len(), usize::from(pyc == Some("other")), "{pyc:?}: {foreign:?}");
        }
        let found: FoundFiles = [(".git/HEAD".to_owned(), Some(mark("a", false)))].into();
        assert_eq!(differences(&installed, &found), [".git/HEAD (new)", "SKILL.md (gone)"]);
    }

    #[test]
    fn file_mark_has_one_text_form() {
        let text = String::from(mark("a", true));
        assert_eq!(text.clone().try_into(), Ok(mark("a", true)));
        for bad in ["", "0644", &text.replace("0755", "0777"), &text[..60]] {
            assert!(FileMark::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
