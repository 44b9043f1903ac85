//! A file of a package as the API shows it.

use serde::{Deserialize, Serialize};

use crate::names::Digest;

/// One file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "File"))]
pub struct FileRecord {
    /// Its path in the package.
    pub path: String,
    /// Its size in bytes.
    pub size: u64,
    /// The digest of its bytes.
    pub sha256: Digest,
    /// Its media type, by extension alone and without a charset.
    pub content_type: String,
    /// Whether it may be run: mode 0755 rather than 0644.
    pub executable: bool,
}

impl FileRecord {
    pub(super) fn new(path: &str, content: &[u8], executable: bool) -> Self {
        Self {
            path: path.to_owned(),
            size: content.len() as u64,
            sha256: Digest::of(content),
            content_type: content_type(path).to_owned(),
            executable,
        }
    }
}

/// The media type for a path. Where the table of extensions knows only what
/// the web makes of one (`.ts` is a video there), what skills mean wins.
fn content_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let extension = name.rsplit_once('.').map_or("", |(_, extension)| extension);
    match extension.to_ascii_lowercase().as_str() {
        "md" | "mdx" => "text/markdown",
        "ts" | "tsx" | "mts" | "cts" => "text/x-typescript",
        "js" | "mjs" | "cjs" => "text/javascript",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "py" => "text/x-python",
        other => mime_guess::from_ext(other).first_raw().unwrap_or("application/octet-stream"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_by_extension() {
        for (path, want) in [
            ("SKILL.md", "text/markdown"),
            ("a/b.JSON", "application/json"),
            ("x.png", "image/png"),
            ("x.ts", "text/x-typescript"),
            ("Makefile", "application/octet-stream"),
            ("x.unheard", "application/octet-stream"),
            ("a.b/c", "application/octet-stream"),
        ] {
            assert_eq!(content_type(path), want, "{path}");
        }
    }

    #[test]
    fn the_json_form() {
        let record = FileRecord::new("a.md", b"", true);
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""contentType":"text/markdown","executable":true"#), "{json}");
        assert_eq!(serde_json::from_str::<FileRecord>(&json).unwrap(), record);
    }
}
