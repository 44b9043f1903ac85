//! Templates to pages.

use serde::Serialize;

/// A kind of page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Template {
    /// `/`.
    Home,
    /// `/search/`.
    Search,
    /// `/namespaces/` and its further pages.
    Namespaces,
    /// `/{namespace}/` and its further pages.
    Namespace,
    /// `/{namespace}/{slug}/`.
    Skill,
    /// `/404.html`.
    Missing,
}

/// A page could not be made.
#[derive(Debug, thiserror::Error)]
#[error("the page cannot be made: {0}")]
pub struct PageError(#[from] serde_json::Error);

/// A page's bytes, from what it shows.
pub fn fill(template: Template, context: &impl Serialize) -> Result<Vec<u8>, PageError> {
    let context = serde_json::to_string(context)?.replace('&', "&amp;").replace('<', "&lt;");
    Ok(format!("<!doctype html>\n<title>{template:?}</title>\n<pre>{context}</pre>\n").into_bytes())
}
