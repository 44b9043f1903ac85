//! The content of folders and zips.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::path::Path;

use super::{Registry, manifest};

/// The sorted relative paths of the files in `folder`. If it is a tree, expired index pieces are
/// left out, because they change without a revision.
pub fn files(folder: &Path) -> Vec<String> {
    let mut files = all_files(folder);
    let superseded = manifest::superseded(folder, &files);
    files.retain(|file| !superseded.contains(file));
    files
}

/// The files in `folder`, including expired index pieces.
pub fn all_files(folder: &Path) -> Vec<String> {
    let mut files: Vec<String> = walkdir::WalkDir::new(folder)
        .into_iter()
        .map(|entry| entry.expect("a folder can be read"))
        .filter(|entry| !entry.file_type().is_dir())
        .map(|entry| entry.path().strip_prefix(folder).expect("below it").to_string_lossy().into_owned())
        .collect();
    files.sort();
    files
}

/// The paths of a tree's files, without those of the log, whose names tell its size.
pub fn outside_the_log(tree: &BTreeMap<String, Vec<u8>>) -> Vec<&String> {
    tree.keys().filter(|path| !path.starts_with("api/v1/log/")).collect()
}

/// The files in `folder` with their bytes.
pub fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let read = |path: String| {
        let bytes = std::fs::read(folder.join(&path)).expect("a file can be read");
        (path, bytes)
    };
    files(folder).into_iter().map(read).collect()
}

/// The files of a zip: path to content and Unix mode.
pub fn unpacked(zip: &[u8]) -> BTreeMap<String, (Vec<u8>, u32)> {
    let mut archive = zip::ZipArchive::new(Cursor::new(zip)).expect("a zip");
    let mut files = BTreeMap::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("a readable entry");
        if entry.is_dir() {
            continue;
        }
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).expect("a readable entry");
        let name = entry.name().expect("a readable name").into_owned();
        files.insert(name, (bytes, entry.unix_mode().unwrap_or(0) & 0o777));
    }
    files
}

/// Asserts that two trees have the same files with the same bytes.
#[track_caller]
pub fn assert_equal(left: &BTreeMap<String, Vec<u8>>, right: &BTreeMap<String, Vec<u8>>) {
    let paths = |tree: &BTreeMap<String, Vec<u8>>| tree.keys().cloned().collect::<Vec<_>>();
    assert_eq!(paths(left), paths(right), "the files");
    for (path, bytes) in left {
        if *bytes != right[path] {
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).chars().take(4000).collect::<String>();
            panic!("{path} differs:\n{}\n{}", text(bytes), text(&right[path]));
        }
    }
}

impl Registry {
    /// The files of the static tree.
    pub fn tree(&self) -> Vec<String> {
        files(&self.public())
    }

    /// The files of the static tree with their bytes.
    pub fn tree_bytes(&self) -> BTreeMap<String, Vec<u8>> {
        contents(&self.public())
    }

    /// One file of the tree.
    #[track_caller]
    pub fn tree_file(&self, path: &str) -> Vec<u8> {
        std::fs::read(self.public().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// One JSON file of the tree.
    #[track_caller]
    pub fn tree_json(&self, path: &str) -> serde_json::Value {
        serde_json::from_slice(&self.tree_file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }
}
