//! How the files of a folder differ from those of a version.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use registry::names::Digest;
use registry::package::{LitterKind, litter};

use super::file_marks::{FileMarks, FoundFiles, is_litter};
use crate::platform::HAS_EXECUTABLE_BIT;
use crate::regular_file::{self, Links};
use crate::skills::resolve::enumerate;

/// The size limit of a file that is compared without its line ends: 16 MiB.
const MAX_TEXT: u64 = 16 << 20;

/// How a file differs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DifferenceKind {
    /// It has other bytes, or is a link or a special file.
    Content,
    /// It has the same text with other line ends.
    LineEnds,
    /// It has the same bytes, and is executable instead of not, or the other way round.
    Mode,
    /// The version has the file, and the folder lacks it.
    Gone,
    /// The version has no such file.
    New,
}

/// A file that differs. Its text is the path and the kind, as in `SKILL.md (changed)`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difference {
    /// The path in the folder of the skill.
    pub path: String,
    /// How the file differs.
    pub kind: DifferenceKind,
}

/// The files that differ, sorted by their paths.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Differences(pub Vec<Difference>);

impl Differences {
    /// Whether no file differs.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sentence that says how to get the files of the version in `folder`, the skill's own folder.
    pub fn remedy(&self, folder: &Path) -> String {
        let force = "Save what you want to keep, then use --force";
        match self.line_ends_remedy(folder) {
            None => force.to_owned(),
            Some(git) if self.0.iter().all(Difference::is_of_line_ends) => format!("{git}, then use --force"),
            Some(git) => format!("{git}. {force}"),
        }
    }

    /// The sentence that says how to keep git from changing line ends in `folder`, the skill's own folder.
    /// None if no file has other line ends.
    pub fn line_ends_remedy(&self, folder: &Path) -> Option<String> {
        let attributes = folder.parent().unwrap_or(folder).join(".gitattributes");
        self.0.iter().any(Difference::is_of_line_ends).then(|| {
            format!(
                "Git changes line ends where core.autocrlf is set: write the line `* -text` into {}",
                attributes.display()
            )
        })
    }
}

impl Difference {
    fn is_of_line_ends(&self) -> bool {
        self.kind == DifferenceKind::LineEnds
    }
}

impl fmt::Display for DifferenceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Content => "changed",
            Self::LineEnds => "line ends",
            Self::Mode => "mode",
            Self::Gone => "gone",
            Self::New => "new",
        })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.path.escape_debug(), self.kind)
    }
}

impl fmt::Display for Differences {
    /// Writes the first differences, and how many more there are.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&if self.0.is_empty() { "its files differ".to_owned() } else { enumerate(&self.0) })
    }
}

/// The files found in `folder` that differ from the installed ones. Litter does not
/// count. Files with other bytes are read again, to compare them without their line ends.
pub(in crate::install) fn differences(
    folder: &Path,
    installed: &FileMarks,
    found: &FoundFiles,
) -> Differences {
    let gone = installed.keys().filter(|path| !found.contains_key(*path) && !is_litter(path));
    let gone = gone.map(|path| (path, DifferenceKind::Gone));
    let counted = found.iter().filter(|(path, _)| !is_litter(path));
    let other = counted.filter_map(|(path, mark)| match (installed.get(path), mark) {
        (None, _) => Some((path, DifferenceKind::New)),
        (Some(_), None) => Some((path, DifferenceKind::Content)),
        (Some(was), Some(mark)) if was.sha256 != mark.sha256 => {
            let is_same = has_other_line_ends(&folder.join(path), &was.sha256);
            Some((path, if is_same { DifferenceKind::LineEnds } else { DifferenceKind::Content }))
        }
        (Some(was), Some(mark)) => {
            let is_same = was.executable == mark.executable || !HAS_EXECUTABLE_BIT;
            (!is_same).then_some((path, DifferenceKind::Mode))
        }
    });
    let mut all: Vec<_> =
        gone.chain(other).map(|(path, kind)| Difference { path: path.clone(), kind }).collect();
    all.sort();
    Differences(all)
}

/// The files of compiled scripts and dependencies that are not as installed. Programs run them instead of
/// the scripts beside them, or together with them. So nobody can vouch for a folder that has some.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::install) struct ForeignCode {
    /// The paths of compiled scripts.
    pub compiled: Vec<String>,
    /// The paths of files of dependencies.
    pub dependencies: Vec<String>,
}

impl ForeignCode {
    /// Whether the folder has no such files.
    pub(in crate::install) fn is_empty(&self) -> bool {
        self.compiled.is_empty() && self.dependencies.is_empty()
    }

    /// The folders and files to name to a person, sorted.
    pub(in crate::install) fn roots(&self) -> Vec<String> {
        let paths = self.compiled.iter().chain(&self.dependencies);
        let roots: BTreeSet<&str> = paths.filter_map(|path| litter(path)).map(|litter| litter.root).collect();
        roots.into_iter().map(|root| root.escape_debug().to_string()).collect()
    }
}

/// Finds code that is not as installed.
pub(in crate::install) fn foreign_code(installed: &FileMarks, found: &FoundFiles) -> ForeignCode {
    let mut foreign = ForeignCode::default();
    let is_installed = |path, mark: &Option<_>| mark.is_some() && mark.as_ref() == installed.get(path);
    for (path, _) in found.iter().filter(|(path, mark)| !is_installed(*path, mark)) {
        match litter(path).map(|litter| litter.kind) {
            Some(LitterKind::Compiled) => foreign.compiled.push(path.clone()),
            Some(LitterKind::Dependencies) => foreign.dependencies.push(path.clone()),
            _ => {}
        }
    }
    foreign
}

/// Says that nobody vouches for code in `folder`, the skill's own folder.
pub fn unverified_warning(folder: &Path, roots: &[String]) -> String {
    format!(
        "{}: {} is not from the registry: runs of a skill make such code, so delete it if you ran none",
        folder.display(),
        enumerate(roots)
    )
}

/// Whether a file has the text of this digest, with other line ends.
fn has_other_line_ends(path: &Path, was: &Digest) -> bool {
    let Some(unix) = without_carriage_returns(path) else { return false };
    let windows = || {
        unix.split_inclusive(|byte| *byte == b'\n').fold(Vec::new(), |mut all, line| {
            match line.strip_suffix(b"\n") {
                Some(line) => all.extend([line, b"\r\n"].concat()),
                None => all.extend(line),
            }
            all
        })
    };
    Digest::of(&unix) == *was || Digest::of(&windows()) == *was
}

/// The bytes of a file with a line feed instead of each carriage return and line feed. None if the file
/// cannot be read or is large.
pub(in crate::install) fn without_carriage_returns(path: &Path) -> Option<Vec<u8>> {
    let bytes = regular_file::read(path, Links::Refuse, MAX_TEXT).ok()?;
    let mut unix = Vec::with_capacity(bytes.len());
    for (at, byte) in bytes.iter().enumerate() {
        if *byte != b'\r' || bytes.get(at + 1) != Some(&b'\n') {
            unix.push(*byte);
        }
    }
    Some(unix)
}

#[cfg(test)]
mod tests {
    use super::super::file_marks::{FileMark, content_digest};
    use super::*;

    fn mark(text: &str, executable: bool) -> FileMark {
        FileMark { executable, sha256: Digest::of(text.as_bytes()) }
    }

    fn named(installed: &FileMarks, found: &FoundFiles) -> Vec<String> {
        differences(Path::new("nowhere"), installed, found).0.iter().map(ToString::to_string).collect()
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
            assert_eq!(named(&installed, &found), [""; 0], "{pyc:?}");
            assert_eq!(content_digest(&installed, &found), published, "{pyc:?}");
            let foreign = foreign_code(&installed, &found);
            assert_eq!(foreign.compiled.len(), usize::from(pyc == Some("other")), "{pyc:?}: {foreign:?}");
        }
        let found: FoundFiles = [(".git/HEAD".to_owned(), Some(mark("a", false)))].into();
        assert_eq!(named(&installed, &found), [".git/HEAD (new)", "SKILL.md (gone)"]);
    }

    #[test]
    fn differences_name_every_file_and_its_kind() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["SKILL.md", "b", "c/d", "unix", "windows", "x"];
        let texts = ["a", "b", "d", "1\n2", "1\r\n2\r\n", "x"];
        let installed: FileMarks =
            names.into_iter().zip(texts).map(|(path, text)| (path.to_owned(), mark(text, false))).collect();
        let mut found: FoundFiles =
            installed.iter().map(|(path, mark)| (path.clone(), Some(*mark))).collect();
        assert!(differences(folder.path(), &installed, &found).is_empty());
        for litter in
            [".DS_Store", "c/__pycache__/d.pyc", "c/._d", "node_modules/x/y.js", ".pytest_cache/v", "d.pyc"]
        {
            found.insert(litter.to_owned(), Some(mark("", false)));
        }
        assert!(differences(folder.path(), &installed, &found).is_empty());
        for (path, text) in [("SKILL.md", "A"), ("unix", "1\r\n2"), ("windows", "1\n2\n")] {
            std::fs::write(folder.path().join(path), text).unwrap();
            found.insert(path.into(), Some(mark(text, false)));
        }
        found.insert("b".into(), Some(mark("b", true)));
        found.insert("x".into(), None);
        found.insert("new".into(), None);
        found.remove("c/d");
        let differing = differences(folder.path(), &installed, &found);
        let all: Vec<_> = differing.0.iter().map(ToString::to_string).collect();
        let expected = [
            "SKILL.md (changed)",
            "b (mode)",
            "c/d (gone)",
            "new (new)",
            "unix (line ends)",
            "windows (line ends)",
            "x (changed)",
        ];
        assert_eq!(all, expected);
        let remedy = differing.remedy(Path::new("skills/hello"));
        assert!(
            remedy.contains("`* -text` into skills/.gitattributes") && remedy.contains("Save"),
            "{remedy}"
        );
    }
}
