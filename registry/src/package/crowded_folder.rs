//! The folder that has most files of a package, for packages with too many.

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

/// Finds the lowest folder that contains more than half of the files. Does not go into a
/// virtual environment of Python, which has a `pyvenv.cfg`, or another folder of a tool.
pub(super) fn find<'p>(paths: impl Iterator<Item = &'p str>) -> Option<String> {
    let paths: Vec<&str> = paths.collect();
    let least = paths.len() / 2 + 1;
    let mut folder = String::new();
    let mut inside = paths;
    for _ in 0..MAX_DEPTH {
        let mut children: BTreeMap<&str, usize> = BTreeMap::new();
        for path in &inside {
            if let Some((child, _)) = path.get(folder.len()..).and_then(|rest| rest.split_once('/')) {
                *children.entry(child).or_default() += 1;
            }
        }
        let Some((child, _)) = children.into_iter().find(|(_, count)| *count >= least) else { break };
        let is_of_tool = FILLED_BY_TOOLS.contains(&child);
        folder = format!("{folder}{child}/");
        inside.retain(|path| path.starts_with(&folder));
        if is_of_tool || inside.iter().any(|path| path.get(folder.len()..) == Some("pyvenv.cfg")) {
            break;
        }
    }
    folder.pop().map(|_| folder)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(paths: &[&str]) -> Option<String> {
        find(paths.iter().copied())
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
    fn files_in_many_folders_have_no_crowded_one() {
        assert_eq!(found(&["SKILL.md", "a/1", "b/1", "c/1"]), None);
        assert_eq!(found(&["1", "2"]), None);
        assert_eq!(found(&[]), None);
    }
}
