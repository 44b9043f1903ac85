//! The record of a file in a package.

use serde::{Deserialize, Serialize};

use super::content_type::content_type;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn record_round_trips_as_json() {
        let record = FileRecord::new("a.md", b"", true);
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""contentType":"text/markdown","executable":true"#), "{json}");
        assert_eq!(serde_json::from_str::<FileRecord>(&json).unwrap(), record);
    }
}
