//! The record of a file in a package.

use serde::{Deserialize, Serialize};

use crate::names::Digest;

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "File"))]
pub struct FileRecord {
    /// The path in the package.
    pub path: String,
    /// The size in bytes.
    pub size: u64,
    /// The digest of the content.
    pub sha256: Digest,
    /// The media type, by extension only and without a charset.
    pub content_type: String,
    /// Whether the file is executable: mode 0755 instead of 0644.
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

/// The media type of a path. The arms below replace types that are wrong for skills: in
/// the table of the web `.ts` is a video.
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
    fn media_type_depends_on_extension() {
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
    fn record_round_trips_as_json() {
        let record = FileRecord::new("a.md", b"", true);
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""contentType":"text/markdown","executable":true"#), "{json}");
        assert_eq!(serde_json::from_str::<FileRecord>(&json).unwrap(), record);
    }
}
