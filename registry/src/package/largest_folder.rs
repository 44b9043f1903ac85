//! The folder that has most files or bytes of a package, for packages with too many.

use std::collections::BTreeMap;

/// Folders that tools fill. Folders inside of them are not worth a mention.
const FILLED_BY_TOOLS: [&str; 12] = [
    "venv",
    ".venv",
    "env",
    ".env",
    "virtualenv",
    "site-packages",
    "__pycache__",
    "vendor",
    "target",
    "dist",
    "build",
    ".tox",
];

/// Levels that are searched. The work is bounded, because the paths are others' work.
const MAX_DEPTH: usize = 16;

/// Finds the lowest folder that contains more than half of the whole. Each path is given with
/// its part of that: its bytes, or 1 to count files. Does not go into a virtual environment of
/// Python, which has a `pyvenv.cfg`, or another folder of a tool.
pub(super) fn find<'p>(parts: impl Iterator<Item = (&'p str, u64)>) -> Option<String> {
    let mut inside: Vec<(&str, u64)> = parts.collect();
    let whole = inside.iter().fold(0_u64, |sum, (_, part)| sum.saturating_add(*part));
    let least = whole / 2 + 1;
    let mut folder = String::new();
    for _ in 0..MAX_DEPTH {
        let mut children: BTreeMap<&str, u64> = BTreeMap::new();
        for (path, part) in &inside {
            if let Some((child, _)) = path.get(folder.len()..).and_then(|rest| rest.split_once('/')) {
                let sum = children.entry(child).or_default();
                *sum = sum.saturating_add(*part);
            }
        }
        let Some((child, _)) = children.into_iter().find(|(_, sum)| *sum >= least) else { break };
        let is_of_tool = FILLED_BY_TOOLS.contains(&child);
        folder = format!("{folder}{child}/");
        inside.retain(|(path, _)| path.starts_with(&folder));
        if is_of_tool || inside.iter().any(|(path, _)| path.get(folder.len()..) == Some("pyvenv.cfg")) {
            break;
        }
    }
    folder.pop().map(|_| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[&str]) -> Option<String> {
        find(paths.iter().map(|path| (*path, 1)))
    }

    #[test]
    fn folder_with_most_files_is_found() {
        let library = "scripts/venv/lib/python3.11/site-packages";
        let modules: Vec<String> = (0..9).map(|n| format!("{library}/{n}.py")).collect();
        let mut paths: Vec<&str> = modules.iter().map(String::as_str).collect();
        paths.extend(["SKILL.md", "scripts/run.py"]);
        assert_eq!(found(&paths).as_deref(), Some("scripts/venv"));
        assert_eq!(found(&["SKILL.md", "a/b/1", "a/b/2", "a/c"]).as_deref(), Some("a"));
        assert_eq!(found(&["SKILL.md", "a/b/1", "a/b/2", "a/b/3"]).as_deref(), Some("a/b"));
        let named = ["x/my/pyvenv.cfg", "x/my/lib/1", "x/my/lib/2", "x/my/lib/3"];
        assert_eq!(found(&named).as_deref(), Some("x/my"));
    }

    #[test]
    fn folder_with_most_bytes_is_found() {
        let parts = [("SKILL.md", 1), ("data/a.bin", 60), ("docs/a", 9), ("docs/b", 9), ("docs/c", 9)];
        assert_eq!(find(parts.into_iter()).as_deref(), Some("data"));
        assert_eq!(find([("a/1", u64::MAX), ("b/1", u64::MAX)].into_iter()).as_deref(), Some("a"));
    }

    #[test]
    fn files_in_many_folders_have_no_crowded_one() {
        assert_eq!(found(&["SKILL.md", "a/1", "b/1", "c/1"]), None);
        assert_eq!(found(&["1", "2"]), None);
        assert_eq!(found(&[]), None);
    }
}
