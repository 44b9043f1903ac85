//! The embedded files that pages load: style sheet, scripts and icon. Scripts import each other by relative
//! paths. The folder `highlight` has scripts of others, as they are.

use std::fmt;

/// The folder of the modules that exist only in joined scripts.
const PARTS: &str = "signed-in/parts/";

/// The paths of an operator's logo, which is no embedded file.
const LOGOS: [&str; 2] = ["logo.png", "logo.svg"];

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
    "search-private.js",
    "search.js",
    "search/answer.js",
    "search/characters.js",
    "search/files.js",
    "search/language.js",
    "search/logarithm.js",
    "search/nearness.js",
    "search/parse.js",
    "search/query.js",
    "search/stem.js",
    "search/translations.js",
    "search/words.js",
    "signed-in.css",
    "signed-in/admin.js",
    "signed-in/login.js",
    "signed-in/me.js",
    "signed-in/on-skill.js",
    "signed-in/parts/api.js",
    "signed-in/parts/audit.js",
    "signed-in/parts/dom.js",
    "signed-in/parts/findings.js",
    "signed-in/parts/forms.js",
    "signed-in/parts/handle.js",
    "signed-in/parts/manage.js",
    "signed-in/parts/packing.js",
    "signed-in/parts/publishers.js",
    "signed-in/parts/sessions.js",
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

/// The embedded text of a file.
pub fn embedded(path: &str) -> Option<&'static str> {
    SOURCES.iter().find(|(known, _)| *known == path).map(|(_, text)| *text)
}

/// The paths of all embedded files, also of modules that exist only in joined scripts.
pub fn sources() -> impl Iterator<Item = &'static str> {
    SOURCES.iter().map(|(path, _)| *path)
}

/// The paths of the files that sites may have.
pub fn names() -> impl Iterator<Item = &'static str> {
    let embedded = sources().filter(|path| !path.starts_with(PARTS));
    embedded.chain(LOGOS)
}

/// The address of a file that pages load. The folder's name has a digest of all its files, so a file at an
/// address never changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AssetPath {
    /// The number that names the folder, with 16 hexadecimal digits.
    pub(crate) folder: u64,
    /// The path in the folder, such as `search/query.js`.
    pub(crate) name: &'static str,
}

impl AssetPath {
    /// The file at this path below `assets`, if sites may have it.
    pub(crate) fn at(path: &str) -> Option<Self> {
        let (digits, name) = path.split_once('/')?;
        let folder = u64::from_str_radix(digits, 16).ok()?;
        let name = names().find(|known| *known == name)?;
        Some(Self { folder, name }).filter(|path| path.to_string().starts_with(digits))
    }
}

impl fmt::Display for AssetPath {
    /// The path below `assets`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}/{}", self.folder, self.name)
    }
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
        assert_eq!(files, sources().collect::<Vec<_>>());
    }
}
