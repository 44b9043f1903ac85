//! The marks of a skill's files: which bytes and which mode each has.

use std::collections::BTreeMap;

use registry::names::{Digest, NameError};
use registry::package::{LitterKind, Unpacked, litter};
use serde::{Deserialize, Serialize};

use crate::platform::HAS_EXECUTABLE_BIT;

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

/// Whether systems, tools or runs of the skill write such a file. It is no change of the skill, even if the
/// package has one too. Version control does not count, because it is somebody's work.
pub(in crate::install) fn is_litter(path: &str) -> bool {
    litter(path).is_some_and(|litter| litter.kind != LitterKind::VersionControl)
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
        // If the file system has no such bit, that of the package counts.
        let recorded = installed.get(path).filter(|_| !HAS_EXECUTABLE_BIT);
        marks.insert(path, FileMark { executable: recorded.unwrap_or(mark).executable, ..*mark });
    }
    marks.extend(
        installed.iter().filter(|(path, _)| is_litter(path)).map(|(path, mark)| (path.as_str(), *mark)),
    );
    let marks = marks.iter().map(|(path, mark)| (*path, mark.executable, &mark.sha256));
    Some(registry::package::content_digest(marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mark(text: &str, executable: bool) -> FileMark {
        FileMark { executable, sha256: Digest::of(text.as_bytes()) }
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
    fn file_mark_has_one_text_form() {
        let text = String::from(mark("a", true));
        assert_eq!(text.clone().try_into(), Ok(mark("a", true)));
        for bad in ["", "0644", &text.replace("0755", "0777"), &text[..60]] {
            assert!(FileMark::try_from(bad.to_owned()).is_err(), "{bad}");
        }
    }
}
