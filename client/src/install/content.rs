//! What is in the folder of a skill, and how that differs from what was put there.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::str::FromStr;

use registry::names::{Digest, DigestBuilder, NameError};
use registry::package::Unpacked;
use serde::{Deserialize, Serialize};
use walkdir::WalkDir;

/// What a file is known by: its text is the mode, a space and the sha256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct FileMark {
    /// Whether it may be run: mode 0755 rather than 0644.
    pub executable: bool,
    /// The digest of its bytes.
    pub sha256: Digest,
}

/// The files of a skill by their paths, `/` between the pieces.
pub type FileMarks = BTreeMap<String, FileMark>;

/// What there is where a skill is to be.
pub(super) enum Found {
    Nothing,
    /// Something that is no folder.
    Other(&'static str),
    /// A folder with these files; None for what is there and no plain file.
    Folder(BTreeMap<String, Option<FileMark>>),
}

/// Looks at what is there, and follows no link.
pub(super) fn look(path: &Path) -> io::Result<Found> {
    let there = match fs::symlink_metadata(path) {
        Ok(there) => there,
        Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Found::Nothing),
        Err(why) => return Err(why),
    };
    if there.is_symlink() {
        return Ok(Found::Other("a symbolic link"));
    }
    if !there.is_dir() {
        return Ok(Found::Other("a file"));
    }
    let mut files = BTreeMap::new();
    for entry in WalkDir::new(path).min_depth(1) {
        let entry = entry?;
        if entry.file_type().is_dir() {
            continue;
        }
        let relative = entry.path().strip_prefix(path).unwrap_or(entry.path());
        let is_plain = entry.file_type().is_file();
        let mark = if is_plain { Some(mark(entry.path(), &entry.metadata()?)?) } else { None };
        files.insert(relative.to_string_lossy().into_owned(), mark);
    }
    Ok(Found::Folder(files))
}

/// What systems and Python leave in folders that they look at. No package has
/// the first three, and the last is made anew by every run of a script.
fn is_leaving(name: &str) -> bool {
    matches!(name, ".DS_Store" | "Thumbs.db" | "__pycache__") || name.starts_with("._")
}

fn mark(path: &Path, metadata: &Metadata) -> io::Result<FileMark> {
    let mut digest = DigestBuilder::default();
    io::copy(&mut File::open(path)?, &mut digest)?;
    Ok(FileMark { executable: metadata.permissions().mode() & 0o100 != 0, sha256: digest.finish() })
}

/// The marks of the files of a package.
pub(super) fn marks(package: &Unpacked) -> FileMarks {
    let mark = |executable, sha256| FileMark { executable, sha256 };
    let files = package.files().iter();
    files.map(|file| (file.path.as_str().to_owned(), mark(file.executable, file.sha256))).collect()
}

/// The files that are not as they were put there, each with what became of it.
pub(super) fn differences(put: &FileMarks, found: &BTreeMap<String, Option<FileMark>>) -> Vec<String> {
    let gone = put.keys().filter(|path| !found.contains_key(*path)).map(|path| (path, "gone"));
    let other = found.iter().filter_map(|(path, mark)| match put.get(path) {
        None if path.split('/').any(is_leaving) => None,
        None => Some((path, "new")),
        Some(was) => (Some(was) != mark.as_ref()).then_some((path, "changed")),
    });
    let mut all: Vec<_> = gone.chain(other).collect();
    all.sort();
    all.into_iter().map(|(path, what)| format!("{} ({what})", path.escape_debug())).collect()
}

impl fmt::Display for FileMark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.executable { "0755" } else { "0644" }, self.sha256)
    }
}

impl FromStr for FileMark {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (executable, sha256) = match text.split_once(' ') {
            Some(("0644", sha256)) => (false, sha256),
            Some(("0755", sha256)) => (true, sha256),
            _ => return Err("a file has a mode, 0644 or 0755, a space and a sha256".to_owned()),
        };
        let sha256 = sha256.parse().map_err(|why: NameError| why.to_string())?;
        Ok(Self { executable, sha256 })
    }
}

impl From<FileMark> for String {
    fn from(mark: FileMark) -> Self {
        mark.to_string()
    }
}

impl TryFrom<String> for FileMark {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, executable: bool) -> FileMark {
        FileMark { executable, sha256: Digest::of(text.as_bytes()) }
    }

    #[test]
    fn every_difference_is_named() {
        let put: FileMarks = [("SKILL.md", "a"), ("b", "b"), ("c/d", "d"), ("x", "x")]
            .map(|(path, text)| (path.to_owned(), mark(text, false)))
            .into();
        let mut found: BTreeMap<String, Option<FileMark>> =
            put.iter().map(|(path, mark)| (path.clone(), Some(*mark))).collect();
        assert_eq!(differences(&put, &found), [""; 0]);
        for leaving in [".DS_Store", "c/__pycache__/d.pyc", "c/._d"] {
            found.insert(leaving.to_owned(), Some(mark("", false)));
        }
        assert_eq!(differences(&put, &found), [""; 0]);
        found.insert("SKILL.md".into(), Some(mark("A", false)));
        found.insert("b".into(), Some(mark("b", true)));
        found.insert("x".into(), None);
        found.insert("new".into(), None);
        found.remove("c/d");
        let all = ["SKILL.md (changed)", "b (changed)", "c/d (gone)", "new (new)", "x (changed)"];
        assert_eq!(differences(&put, &found), all);
    }

    #[test]
    fn a_mark_has_one_text() {
        let text = mark("a", true).to_string();
        assert_eq!(text.parse(), Ok(mark("a", true)));
        for bad in ["", "0644", &text.replace("0755", "0777"), &text[..60]] {
            assert!(bad.parse::<FileMark>().is_err(), "{bad}");
        }
    }
}
