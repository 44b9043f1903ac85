//! What a package is made of before it is one.

use super::path::PackagePath;

/// A file from elsewhere than an archive, for example from a folder.
#[derive(Clone)]
pub struct LooseFile {
    /// Its path relative to the skill's folder, `/` between the pieces.
    pub path: String,
    /// Whether it may be run.
    pub executable: bool,
    /// Its bytes.
    pub content: Vec<u8>,
}

/// An entry under the name its source gives it, not yet checked. `B` is the
/// content in whatever form the source has it.
pub(super) struct RawEntry<B> {
    /// The name without a trailing slash.
    pub name: String,
    /// Whether it names a folder, whose content is nothing.
    pub folder: bool,
    pub executable: bool,
    pub body: B,
}

/// A file at its place in the package.
pub(super) struct PlacedEntry<B> {
    pub path: PackagePath,
    pub executable: bool,
    pub body: B,
}

/// The entries with their contents as `load` gets them; None where it fails.
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
