//! The files that pages load: style sheet, scripts and icon.
//!
//! They are in one folder named for all their contents, so that caches can keep them forever.
//! Scripts import each other by relative paths.

use std::sync::LazyLock;

use registry::names::Digest;

/// A file that pages load.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// The path in the folder, such as `search/query.js`.
    pub path: &'static str,
    /// The content.
    pub bytes: &'static [u8],
}

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        &[$(Asset { path: $path, bytes: include_bytes!(concat!("../../../site-template/assets/", $path)) }),*]
    };
}

static ALL: &[Asset] = assets![
    "icon.svg",
    "search-page.js",
    "search.js",
    "search/answer.js",
    "search/files.js",
    "search/language.js",
    "search/parse.js",
    "search/query.js",
    "search/stem.js",
    "search/words.js",
    "site.css",
    "site.js",
];

static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let mut all = Vec::new();
    for asset in ALL {
        all.extend_from_slice(asset.path.as_bytes());
        all.push(0);
        all.extend_from_slice(&asset.bytes.len().to_be_bytes());
        all.extend_from_slice(asset.bytes);
    }
    Digest::of(&all).to_string().chars().take(16).collect()
});

/// All assets, by path.
pub fn all() -> &'static [Asset] {
    ALL
}

/// The folder's name: the first 16 hexadecimal digits of the sha256 over all paths and contents.
pub fn folder() -> &'static str {
    &FOLDER
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn assets_are_all_files_of_the_folder() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site-template/assets");
        let mut files: Vec<String> = walkdir::WalkDir::new(&folder)
            .into_iter()
            .map(Result::unwrap)
            .filter(|entry| entry.file_type().is_file())
            .map(|entry| entry.path().strip_prefix(&folder).unwrap().to_str().unwrap().to_owned())
            .collect();
        files.sort();
        assert_eq!(files, ALL.iter().map(|asset| asset.path).collect::<Vec<_>>());
    }

    #[test]
    fn folder_name_has_16_hexadecimal_digits() {
        assert_eq!(folder().len(), 16);
        assert!(folder().chars().all(|digit| digit.is_ascii_hexdigit()));
    }
}
