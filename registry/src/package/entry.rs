//! Files and folders before they are a package.

use super::path::PackagePath;

/// A file that is not in an archive.
#[derive(Clone)]
pub struct LooseFile {
    /// The path relative to the skill's folder, separated by `/`.
    pub path: String,
    /// Whether the file is executable.
    pub executable: bool,
    /// The content.
    pub content: Vec<u8>,
}

/// An entry with an unchecked name. `B` is the content in the form of the source.
pub(super) struct RawEntry<B> {
    /// The name without a trailing slash.
    pub name: String,
    /// Whether the entry is a folder.
    pub folder: bool,
    pub executable: bool,
    pub body: B,
}

/// A file or folder with a checked path.
pub(super) struct PlacedEntry<B> {
    pub path: PackagePath,
    pub executable: bool,
    pub body: B,
}

/// Loads the content of each entry. A content is None if `load` fails.
pub(super) fn load_each<B>(
    entries: Vec<PlacedEntry<B>>,
    mut load: impl FnMut(&str, B) -> Option<Vec<u8>>,
) -> Vec<PlacedEntry<Option<Vec<u8>>>> {
    let loaded = |PlacedEntry { path, executable, body }: PlacedEntry<B>| {
        let body = load(path.as_str(), body);
        PlacedEntry { path, executable, body }
    };
    entries.into_iter().map(loaded).collect()
}
