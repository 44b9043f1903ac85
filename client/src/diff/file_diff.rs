//! What differs between two versions of one file.

use registry::names::Digest;
use serde::Serialize;

use super::contents::FileContents;
use super::hunks::{Effort, hunks};

/// The largest file that is compared line by line: 1 MiB.
const MAX_TEXT: usize = 1 << 20;

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum FileChange {
    /// Only the new package has it.
    Added,
    /// Only the old package has it.
    Removed,
    /// Its content changed.
    Changed,
    /// Only its executable bit changed.
    Mode,
}

/// A file without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileSummary {
    /// The size in bytes.
    pub size: u64,
    /// The digest of the content.
    pub sha256: Digest,
    /// Whether it is executable.
    pub executable: bool,
}

impl FileSummary {
    fn of(file: &FileContents) -> Self {
        let size = file.content.len() as u64;
        Self { size, sha256: Digest::of(&file.content), executable: file.executable }
    }

    fn mode(&self) -> &'static str {
        if self.executable { "0755" } else { "0644" }
    }
}

/// A file that differs.
#[derive(Debug, Clone, Serialize)]
pub struct FileDiff {
    /// The path in the package.
    pub path: String,
    /// What happened to it.
    pub change: FileChange,
    /// The file in the old package.
    pub old: Option<FileSummary>,
    /// The file in the new package.
    pub new: Option<FileSummary>,
    /// The differing lines as unified hunks, not escaped. None if a side is not text or has more than
    /// 1 MiB. Empty if no line differs.
    pub hunks: Option<String>,
    /// Whether the packages differ in too much to compare these texts, so that the hunk replaces all lines.
    pub replaced: bool,
}

impl FileDiff {
    /// Compares two versions of a file. None if they are equal, or if there is neither.
    pub(super) fn of(
        path: &str,
        old: Option<&FileContents>,
        new: Option<&FileContents>,
        effort: &mut Effort,
    ) -> Option<Self> {
        let change = match (old, new) {
            (None, None) => return None,
            (None, Some(_)) => FileChange::Added,
            (Some(_), None) => FileChange::Removed,
            (Some(old), Some(new)) if old.content != new.content => FileChange::Changed,
            (Some(old), Some(new)) if old.executable != new.executable => FileChange::Mode,
            _ => return None,
        };
        let lines = |file: Option<&FileContents>| file.map_or(Some(String::new()), text_of);
        let hunks = lines(old).zip(lines(new)).map(|(old, new)| hunks(&old, &new, effort));
        let replaced = hunks.as_ref().is_some_and(|hunks| hunks.is_replaced);
        let hunks = hunks.map(|hunks| hunks.text);
        let (old, new) = (old.map(FileSummary::of), new.map(FileSummary::of));
        Some(Self { path: path.to_owned(), change, old, new, hunks, replaced })
    }

    /// The difference in the form of `git diff`, not escaped. Files that are not compared line by line
    /// are shown by size and digest.
    pub fn patch(&self) -> String {
        let path = &self.path;
        let mut text = format!("diff a/{path} b/{path}\n");
        match (&self.old, &self.new) {
            (None, Some(new)) => text += &format!("new file, mode {}\n", new.mode()),
            (Some(old), None) => text += &format!("removed file, mode {}\n", old.mode()),
            (Some(old), Some(new)) if old.executable != new.executable => {
                text += &format!("mode {} -> {}\n", old.mode(), new.mode());
            }
            _ => {}
        }
        match &self.hunks {
            Some(hunks) if hunks.is_empty() => {}
            Some(hunks) => {
                if self.replaced {
                    text += "not compared line by line, because the packages differ in too much: shown as replaced\n";
                }
                let side = |file: &Option<FileSummary>, side: char| match file {
                    Some(_) => format!("{side}/{path}"),
                    None => "/dev/null".to_owned(),
                };
                text += &format!("--- {}\n+++ {}\n", side(&self.old, 'a'), side(&self.new, 'b'));
                text += hunks;
            }
            None => {
                let line = |sign: char, file: &FileSummary| {
                    format!("{sign} {} bytes, sha256 {}\n", file.size, file.sha256)
                };
                text += "not shown line by line\n";
                text.extend(self.old.iter().map(|old| line('-', old)));
                text.extend(self.new.iter().map(|new| line('+', new)));
            }
        }
        text
    }
}

/// The text of a file. None if it has more than 1 MiB, a NUL, or bytes that are not UTF-8.
fn text_of(file: &FileContents) -> Option<String> {
    let is_short = file.content.len() <= MAX_TEXT && !file.content.contains(&0);
    let text = std::str::from_utf8(&file.content).ok();
    text.filter(|_| is_short).map(str::to_owned)
}
