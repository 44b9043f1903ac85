//! Leaves nothing behind where a command has failed before it wrote anything.

use std::fs;
use std::path::{Path, PathBuf};

use generator::tree::state_folder;

/// Folders that do not exist yet. Dropping this removes those without files: a command that fails at
/// once has made only the lock and empty folders. Create this before anything is locked.
pub struct NewFolders(Vec<PathBuf>);

impl NewFolders {
    /// What is missing of the output folder and of its state folder, with the folders above them.
    pub fn of_tree(folder: &Path) -> Self {
        Self::of(&[folder.to_owned(), state_folder(folder)])
    }

    /// What is missing of these folders, with the folders above them.
    pub fn of(folders: &[PathBuf]) -> Self {
        Self(folders.iter().filter_map(|folder| highest_missing(folder)).collect())
    }
}

impl Drop for NewFolders {
    fn drop(&mut self) {
        for folder in &self.0 {
            if is_bare(folder) {
                // A folder that stays does no harm.
                let _ = fs::remove_dir_all(folder);
            }
        }
    }
}

/// The highest folder of a path that does not exist. None if the path itself exists.
fn highest_missing(path: &Path) -> Option<PathBuf> {
    let missing = path
        .ancestors()
        .take_while(|above| !above.as_os_str().is_empty() && above.symlink_metadata().is_err());
    missing.last().map(Path::to_owned)
}

/// Whether a folder has no files but locks.
fn is_bare(folder: &Path) -> bool {
    let files = walkdir::WalkDir::new(folder).into_iter();
    files.flatten().all(|entry| entry.file_type().is_dir() || entry.file_name() == "lock")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_folders_without_files_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let at = |path: &str| root.path().join(path);
        for (made, remains) in [
            (&["a/b/tree/x/", "a/b/tree.state/tmp/", "a/b/tree.state/lock"][..], false),
            (&["a/b/tree/", "a/b/tree.state/lock", "a/b/tree.state/cursor"], true),
        ] {
            let new = NewFolders::of_tree(&at("a/b/tree"));
            for path in made {
                fs::create_dir_all(at(path).parent().unwrap()).unwrap();
                if !path.ends_with('/') {
                    fs::write(at(path), "1").unwrap();
                } else {
                    fs::create_dir_all(at(path)).unwrap();
                }
            }
            drop(new);
            assert_eq!(at("a").exists(), remains, "{made:?}");
        }
        drop(NewFolders::of_tree(&at("a/b/tree")));
        assert!(at("a/b/tree.state/cursor").exists(), "what was there before stays");
    }
}
