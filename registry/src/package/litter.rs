//! Files that systems, tools and runs of a skill leave in its folder. They are no part of a skill.
//!
//! Publishing leaves them out, and installers do not take them for changes.

use super::{path, path_set};

/// What left a file in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LitterKind {
    /// Version control. It is somebody's work, so installers do not ignore it.
    VersionControl,
    /// An operating system.
    System,
    /// A tool that keeps results, such as a test runner.
    Cache,
    /// Compiled scripts. Programs run them, so nobody can vouch for a folder that has others than its
    /// package. Runs write them again.
    Compiled,
    /// Installed dependencies, which programs run too. Installing them again is work.
    Dependencies,
}

/// A file or folder that is litter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Litter<'p> {
    /// The part of the path up to the folder or file that is litter.
    pub root: &'p str,
    /// What left it there.
    pub kind: LitterKind,
}

/// Names that no archive was ever published with. They are in lower case.
const NEVER_PUBLISHED: &[(&str, LitterKind)] = &[
    (".ds_store", LitterKind::System),
    (".git", LitterKind::VersionControl),
    ("__macosx", LitterKind::System),
    ("node_modules", LitterKind::Dependencies),
    ("thumbs.db", LitterKind::System),
];

/// Names that older archives may have: they are left out of new ones only. They are in lower case.
const NO_LONGER_PUBLISHED: &[(&str, LitterKind)] = &[
    ("$recycle.bin", LitterKind::System),
    (".appledouble", LitterKind::System),
    (".coverage", LitterKind::Cache),
    (".documentrevisions-v100", LitterKind::System),
    (".eslintcache", LitterKind::Cache),
    (".fseventsd", LitterKind::System),
    (".hypothesis", LitterKind::Cache),
    (".ipynb_checkpoints", LitterKind::Cache),
    (".lsoverride", LitterKind::System),
    (".mypy_cache", LitterKind::Cache),
    (".nox", LitterKind::Dependencies),
    (".nyc_output", LitterKind::Cache),
    (".pyre", LitterKind::Cache),
    (".pytest_cache", LitterKind::Cache),
    (".pytype", LitterKind::Cache),
    (".ruff_cache", LitterKind::Cache),
    (".spotlight-v100", LitterKind::System),
    (".temporaryitems", LitterKind::System),
    (".tox", LitterKind::Dependencies),
    (".trashes", LitterKind::System),
    (".venv", LitterKind::Dependencies),
    ("__pycache__", LitterKind::Compiled),
    ("desktop.ini", LitterKind::System),
    ("ehthumbs.db", LitterKind::System),
    ("system volume information", LitterKind::System),
];

/// Extensions of compiled scripts, which older archives may have. They are in lower case.
const COMPILED: &[&str] = &["$py.class", ".pyc", ".pyo"];

/// Finds the first part of a path that is litter.
pub fn litter(path: &str) -> Option<Litter<'_>> {
    find(path, |name, is_last| never_published(name, is_last).or_else(|| no_longer_published(name, is_last)))
}

/// Finds the first part of a path that no published archive has.
pub(super) fn foreign(path: &str) -> Option<Litter<'_>> {
    find(path, never_published)
}

/// Finds the first part of a path with a kind. `kind_of` gets a name in lower case, and whether it is the last.
fn find(path: &str, kind_of: impl Fn(&str, bool) -> Option<LitterKind>) -> Option<Litter<'_>> {
    let mut start = 0;
    for name in path.split('/') {
        let end = start + name.len();
        // Many file systems ignore letter case, so git would use `.GIT` as `.git`.
        // A longer name than a path may have is an error anyway.
        if name.len() <= path::MAX_BYTES
            && let Some(kind) = kind_of(&path_set::folded(name), end == path.len())
        {
            return path.get(..end).map(|root| Litter { root, kind });
        }
        start = end + 1;
    }
    None
}

fn never_published(name: &str, is_last: bool) -> Option<LitterKind> {
    let is_apple_double = is_last && name.starts_with("._");
    listed(NEVER_PUBLISHED, name).or(is_apple_double.then_some(LitterKind::System))
}

fn no_longer_published(name: &str, is_last: bool) -> Option<LitterKind> {
    let is_compiled = is_last && COMPILED.iter().any(|end| name.len() > end.len() && name.ends_with(end));
    listed(NO_LONGER_PUBLISHED, name).or(is_compiled.then_some(LitterKind::Compiled))
}

fn listed(names: &[(&str, LitterKind)], name: &str) -> Option<LitterKind> {
    names.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn litter_is_found_in_any_folder_and_letter_case() {
        for (path, root, kind) in [
            ("node_modules/x/y.js", "node_modules", LitterKind::Dependencies),
            ("a/.DS_Store", "a/.DS_Store", LitterKind::System),
            ("a/._b", "a/._b", LitterKind::System),
            (".GIT/config", ".GIT", LitterKind::VersionControl),
            ("scripts/__pycache__/a.cpython-313.pyc", "scripts/__pycache__", LitterKind::Compiled),
            ("scripts/a.PYC", "scripts/a.PYC", LitterKind::Compiled),
            ("a$py.class", "a$py.class", LitterKind::Compiled),
            (".venv/bin/python", ".venv", LitterKind::Dependencies),
            ("x/.pytest_cache/v/lastfailed", "x/.pytest_cache", LitterKind::Cache),
            ("Desktop.ini", "Desktop.ini", LitterKind::System),
        ] {
            assert_eq!(litter(path), Some(Litter { root, kind }), "{path}");
        }
    }

    #[test]
    fn content_is_no_litter() {
        for path in [
            "SKILL.md",
            "a.py",
            "pyc",
            ".pyc",
            "a.pyc.md",
            "pycache/a",
            "._a/b",
            "venv/a",
            ".gitignore",
            "a.class",
        ] {
            assert_eq!(litter(path), None, "{path}");
        }
    }

    #[test]
    fn archives_may_have_what_was_published_before() {
        for (path, is_foreign) in
            [("__pycache__/a.pyc", false), ("a.pyc", false), (".git/x", true), ("._a", true)]
        {
            assert_eq!(foreign(path).is_some(), is_foreign, "{path}");
        }
    }
}
