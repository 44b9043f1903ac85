//! The files that pages load: style sheet, scripts and icon.
//!
//! They are in one folder named for all their contents, so that caches can keep them forever.
//! Scripts import each other by relative paths. The scripts of pages contain those that they import. The folder `highlight`
//! has scripts of others, as they are.

use std::borrow::Cow;
use std::sync::LazyLock;

use registry::names::Digest;

use super::joined::joined;

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

/// The folder of the modules that exist only in joined scripts.
const PARTS: &str = "signed-in/parts/";

/// A file that pages load.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The path in the folder, such as `search/query.js`.
    pub path: &'static str,
    /// The content.
    pub bytes: Cow<'static, [u8]>,
}

macro_rules! assets {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../site-template/assets/", $path)))),*]
    };
}

/// The paths and texts of the template's files.
const SOURCES: &[(&str, &str)] = assets![
    "copying.js",
    "highlight/LICENSE.txt",
    "highlight/bash.js",
    "highlight/css.js",
    "highlight/go.js",
    "highlight/html.js",
    "highlight/ini.js",
    "highlight/json.js",
    "highlight/md.js",
    "highlight/py.js",
    "highlight/rs.js",
    "highlight/sql.js",
    "highlight/tokenize.js",
    "highlight/toml.js",
    "highlight/ts.js",
    "highlight/yaml.js",
    "icon.svg",
    "marks.js",
    "search-key.js",
    "search-page.js",
    "search.js",
    "search/answer.js",
    "search/files.js",
    "search/language.js",
    "search/parse.js",
    "search/query.js",
    "search/stem.js",
    "search/words.js",
    "signed-in.css",
    "signed-in/admin.js",
    "signed-in/login.js",
    "signed-in/me.js",
    "signed-in/on-skill.js",
    "signed-in/parts/api.js",
    "signed-in/parts/dom.js",
    "signed-in/parts/forms.js",
    "signed-in/parts/handle.js",
    "signed-in/parts/manage.js",
    "signed-in/parts/packing.js",
    "signed-in/parts/tokens.js",
    "signed-in/publish.js",
    "signed-in/reviews.js",
    "signed-in/settings.js",
    "site.css",
    "site.js",
    "unseen.js",
    "viewer.js",
    "viewer/difference.js",
    "viewer/languages.js",
    "viewer/line-diff.js",
    "viewer/picture.js",
    "viewer/text.js",
    "viewer/work.js",
    "viewer/worker.js",
    "viewer/zip.js",
];

static ALL: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let source = |path: &str| SOURCES.iter().find(|(known, _)| *known == path).map_or("", |(_, text)| text);
    let published = SOURCES.iter().filter(|(path, _)| !path.starts_with(PARTS));
    let assets = published.map(|(path, text)| {
        let bytes = match JOINED.contains(path) {
            true => Cow::Owned(joined(path, &source).into_bytes()),
            false => Cow::Borrowed(text.as_bytes()),
        };
        Asset { path, bytes }
    });
    assets.collect()
});

static FOLDER: LazyLock<String> = LazyLock::new(|| {
    let mut bytes = Vec::new();
    for asset in all() {
        bytes.extend_from_slice(asset.path.as_bytes());
        bytes.push(0);
        bytes.extend_from_slice(&asset.bytes.len().to_be_bytes());
        bytes.extend_from_slice(&asset.bytes);
    }
    Digest::of(&bytes).to_string().chars().take(16).collect()
});

/// All assets, by path.
pub fn all() -> &'static [Asset] {
    &ALL
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
        assert_eq!(files, SOURCES.iter().map(|(path, _)| *path).collect::<Vec<_>>());
    }

    #[test]
    fn joined_scripts_import_nothing() {
        for path in JOINED {
            let script = all().iter().find(|asset| asset.path == *path).unwrap();
            let text = str::from_utf8(&script.bytes).unwrap();
            let import = text.lines().find(|line| line.starts_with("import ") || line.starts_with("export "));
            assert_eq!(import, None, "{path}");
        }
        let search = &all().iter().find(|asset| asset.path == JOINED[0]).unwrap().bytes;
        let search = str::from_utf8(search).unwrap();
        assert!(search.contains("readManifest(bytes)") && search.contains("stopWords"), "{search}");
    }

    #[test]
    fn modules_of_joined_scripts_are_no_files_of_their_own() {
        assert!(!all().iter().any(|asset| asset.path.starts_with(PARTS)));
    }

    #[test]
    fn folder_name_has_16_hexadecimal_digits() {
        assert_eq!(folder().len(), 16);
        assert!(folder().chars().all(|digit| digit.is_ascii_hexdigit()));
    }
}
