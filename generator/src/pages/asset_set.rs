//! The files that the pages of one site load.
//!
//! They are in one folder named for all their contents, so that caches can keep them forever. The scripts
//! of pages contain those that they import.

use std::borrow::Cow;

use registry::names::Digest;

use super::assets::{AssetPath, embedded, names};
use super::joined::joined;
use super::site_options::SiteOptions;

/// The scripts that contain those that they import.
const JOINED: &[&str] = &[
    "search-page.js",
    "signed-in/admin.js",
    "signed-in/login.js",
    "signed-in/me.js",
    "signed-in/on-skill.js",
    "signed-in/publish.js",
    "signed-in/reviews.js",
    "signed-in/settings.js",
    "site.js",
    "viewer.js",
];

/// A file that pages load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The path in the folder, such as `search/query.js`.
    pub path: &'static str,
    /// The content.
    pub bytes: Cow<'static, [u8]>,
}

/// The files that the pages of one site load.
#[derive(Debug)]
pub struct AssetSet {
    files: Vec<Asset>,
    /// The first 8 bytes of the sha256 over all paths and contents.
    folder: u64,
}

impl AssetSet {
    /// The embedded files, or those that the operator has instead.
    pub(super) fn new(options: &SiteOptions) -> Self {
        let replaced = |path: &str| options.replaced.get(&format!("assets/{path}")).map(String::as_str);
        let source = |path: &str| replaced(path).or_else(|| embedded(path)).unwrap_or_default();
        let files = names().filter_map(|path| {
            let logo = options.logo.as_ref().filter(|logo| logo.file_name() == path);
            let bytes = match (path, logo, embedded(path)) {
                (_, Some(logo), _) => Cow::Owned(logo.bytes().to_vec()),
                (_, None, None) => return None,
                ("site.css", ..) => Cow::Owned((source(path).to_owned() + &options.accents()).into_bytes()),
                ("icon.svg", ..) => Cow::Owned(options.icon(source(path)).into_bytes()),
                (path, ..) if JOINED.contains(&path) => Cow::Owned(joined(path, &source).into_bytes()),
                (path, None, Some(text)) => match replaced(path) {
                    Some(text) => Cow::Owned(text.as_bytes().to_vec()),
                    None => Cow::Borrowed(text.as_bytes()),
                },
            };
            Some(Asset { path, bytes })
        });
        let files: Vec<Asset> = files.collect();
        let mut all = Vec::new();
        for asset in &files {
            all.extend_from_slice(asset.path.as_bytes());
            all.push(0);
            all.extend_from_slice(&asset.bytes.len().to_be_bytes());
            all.extend_from_slice(&asset.bytes);
        }
        let digest = Digest::of(&all).to_string();
        let folder = digest.get(..16).and_then(|digits| u64::from_str_radix(digits, 16).ok());
        Self { files, folder: folder.unwrap_or_default() }
    }

    /// The path from the site's root to the folder.
    pub fn folder(&self) -> String {
        format!("assets/{:016x}/", self.folder)
    }

    /// The addresses of all files.
    pub fn paths(&self) -> impl Iterator<Item = AssetPath> {
        self.files.iter().map(|asset| AssetPath { folder: self.folder, name: asset.path })
    }

    /// The file at an address. `None` if the set has no such file, or is another one.
    pub fn find(&self, path: AssetPath) -> Option<&Asset> {
        self.files.iter().find(|asset| path.folder == self.folder && asset.path == path.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joined_scripts_import_nothing() {
        let set = AssetSet::new(&SiteOptions::default());
        for path in JOINED {
            let script = set.files.iter().find(|asset| asset.path == *path).unwrap();
            let text = str::from_utf8(&script.bytes).unwrap();
            let import = text.lines().find(|line| line.starts_with("import ") || line.starts_with("export "));
            assert_eq!(import, None, "{path}");
        }
        let search = &set.files.iter().find(|asset| asset.path == JOINED[0]).unwrap().bytes;
        let search = str::from_utf8(search).unwrap();
        assert!(search.contains("readManifest(bytes)") && search.contains("stopWords"), "{search}");
    }
}
