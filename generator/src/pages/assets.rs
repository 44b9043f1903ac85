//! The files that pages load: style, scripts, icon.
//!
//! They lie in one folder that is named for all their contents, so that they can be kept
//! for ever, and scripts import each other by paths as they stand.

use std::sync::LazyLock;

use registry::names::Digest;

/// A file beside the pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    /// Relative to the folder, with `/`: `search/query.js`.
    pub path: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// Its `Content-Type`.
    pub content_type: &'static str,
}

macro_rules! asset {
    ($path:literal, $content_type:expr) => {
        Asset {
            path: $path,
            bytes: include_bytes!(concat!("../../../site-template/assets/", $path)),
            content_type: $content_type,
        }
    };
}

const CSS: &str = "text/css; charset=utf-8";
const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// By path.
static ALL: &[Asset] = &[
    asset!("icon.svg", "image/svg+xml"),
    asset!("search-page.js", JAVASCRIPT),
    asset!("search.js", JAVASCRIPT),
    asset!("search/answer.js", JAVASCRIPT),
    asset!("search/files.js", JAVASCRIPT),
    asset!("search/query.js", JAVASCRIPT),
    asset!("site.css", CSS),
    asset!("site.js", JAVASCRIPT),
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

/// The name of their folder: the first 16 hexadecimal digits of the sha256 over all paths and contents.
pub fn folder() -> &'static str {
    &FOLDER
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_an_asset() {
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
    fn the_folder_is_named_for_what_is_in_it() {
        assert_eq!(folder().len(), 16);
        assert!(folder().chars().all(|digit| digit.is_ascii_hexdigit()));
    }
}
