//! Under which keys a document is in the bucket.

use generator::address::{Document, Form, locate, of_file};
use serde::Deserialize;

/// The folder of the bucket for what is no document.
pub const OWN_FOLDER: &str = ".skillmirror";

/// Which keys a document has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum KeyStyle {
    /// The path of its file, and the path that requests name. So the bucket answers the API as it is.
    #[default]
    Paths,
    /// The path of its file, for a host with rules that make the other of it.
    Files,
}

impl KeyStyle {
    /// The name in settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Paths => "paths",
            Self::Files => "files",
        }
    }

    /// The keys of a document. None if no tree has it.
    pub fn of(self, document: &Document) -> Vec<String> {
        let Some(file) = document.file() else { return Vec::new() };
        let request = Some(document.request()).filter(|_| self == Self::Paths);
        // Stores have no key that ends in a slash, or is empty. Most of them can be told to answer
        // a folder with its `index.html`.
        let path = request.as_deref().and_then(|request| request.strip_prefix('/'));
        let path = path.filter(|path| !path.is_empty() && !path.ends_with('/') && !path.contains('?'));
        let path = path.filter(|path| *path != file).map(str::to_owned);
        [Some(file), path].into_iter().flatten().collect()
    }

    /// The document of a key. None if no document has that key.
    pub fn document(self, key: &str) -> Option<Document> {
        let of_file = of_file(key).filter(|(_, form)| *form == Form::Plain).map(|(document, _)| document);
        let found = of_file.or_else(|| locate(&format!("/{key}"), "").ok().flatten());
        found.filter(|document| self.of(document).iter().any(|its| its == key))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn document(file: &str) -> Document {
        of_file(file).unwrap().0
    }

    #[test]
    fn document_has_the_keys_of_its_file_and_its_path() {
        for (file, path) in [
            ("api/v1/skills/team/hello.json", Some("api/v1/skills/team/hello")),
            ("api/v1/skills/team/hello/download.zip", Some("api/v1/skills/team/hello/download")),
            ("api/v1/skills.json", Some("api/v1/skills")),
            ("api/v1/skills/_list/_all/name-1.json", None),
            ("api/v1/mirror/head.json", None),
            ("team/hello/index.html", None),
            ("team/hello.git/info/refs", None),
            ("index.html", None),
            ("404.html", None),
        ] {
            let document = document(file);
            let expected: Vec<_> = [Some(file), path].into_iter().flatten().collect();
            assert_eq!(KeyStyle::Paths.of(&document), expected);
            assert_eq!(KeyStyle::Files.of(&document), [file]);
            for key in expected {
                assert_eq!(KeyStyle::Paths.document(key), Some(document.clone()), "{key}");
            }
        }
        assert_eq!(KeyStyle::Files.document("api/v1/skills/team/hello"), None);
        for other in ["api/v1/skills.json.gz", ".skillmirror/owner.json", "readme.txt", "a/b/c/d"] {
            assert_eq!(KeyStyle::Paths.document(other), None, "{other}");
        }
    }
}
