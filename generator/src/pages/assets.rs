//! The files that pages load: style, scripts, icon.

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

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

static ALL: &[Asset] = &[
    asset!("search.js", JAVASCRIPT),
    asset!("search/answer.js", JAVASCRIPT),
    asset!("search/files.js", JAVASCRIPT),
    asset!("search/query.js", JAVASCRIPT),
];

static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let all: Vec<u8> = ALL.iter().flat_map(|asset| [asset.path.as_bytes(), asset.bytes].concat()).collect();
    Digest::of(&all).to_string().chars().take(16).collect()
});

/// All assets, by path.
pub fn all() -> &'static [Asset] {
    ALL
}

/// The name of their folder.
pub fn folder() -> &'static str {
    &FOLDER
}
