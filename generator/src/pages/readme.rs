//! Markdown as safe HTML.

use serde::Serialize;

/// The text of a skill.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Readme {
    /// Safe HTML.
    pub html: String,
    /// Whether there is more.
    pub is_cut: bool,
}

/// Where a file's row is.
pub fn file_anchor(path: &str) -> String {
    format!("file-{path}")
}

/// Makes HTML of Markdown.
pub fn readme(markdown: &str, _files: &[&str]) -> Readme {
    Readme { html: markdown.replace('&', "&amp;").replace('<', "&lt;"), is_cut: false }
}
