//! Decides where links in a readme may lead.

use std::collections::HashMap;

use percent_encoding::percent_decode_str;

use super::anchors;
use crate::pages::escape::is_unseen;

/// The files of a package.
pub(super) struct Files<'a> {
    /// Their positions, by path.
    positions: HashMap<&'a str, usize>,
    /// The address of the page that shows them.
    viewer: &'a str,
}

impl<'a> Files<'a> {
    pub(super) fn new(paths: &[&'a str], viewer: &'a str) -> Self {
        Self { positions: paths.iter().zip(0..).map(|(path, position)| (*path, position)).collect(), viewer }
    }
}

/// The address for a link's destination: another site, a place in the text, or a file of the
/// package. `None` if the link must become plain text.
pub(super) fn address(destination: &str, files: &Files<'_>) -> Option<String> {
    // Browsers remove such characters and then read a scheme: `java\tscript:`.
    if destination.chars().any(|c| c.is_control() || c.is_whitespace() || c == '\\' || is_unseen(c)) {
        return None;
    }
    if let Some(fragment) = destination.strip_prefix('#') {
        let heading = decoded(fragment).filter(|text| !text.is_empty())?;
        return Some(format!("#{}", anchors::heading(&heading)));
    }
    match scheme(destination) {
        Some("http" | "https") => has_host(destination).then(|| destination.to_owned()),
        Some("mailto") => Some(destination.to_owned()),
        Some(_) => None,
        None => file(destination, files),
    }
}

/// The scheme that a browser would read; an empty text if links to it are not allowed.
fn scheme(destination: &str) -> Option<&'static str> {
    let (scheme, _) = destination.split_once(':').filter(|(before, _)| !before.contains(['/', '?', '#']))?;
    let known = ["http", "https", "mailto"];
    Some(known.into_iter().find(|each| scheme.eq_ignore_ascii_case(each)).unwrap_or(""))
}

/// `http:page` would be a relative link into the site.
fn has_host(destination: &str) -> bool {
    let rest = destination.split_once("://").map_or("", |(_, rest)| rest);
    !rest.is_empty() && !rest.starts_with(['/', '?', '#'])
}

/// The address of the file that a relative link names.
fn file(destination: &str, files: &Files<'_>) -> Option<String> {
    let path = destination.split(['?', '#']).next().unwrap_or_default();
    let path = decoded(path)?;
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            "" => return None,
            part => parts.push(part),
        }
    }
    let path = parts.join("/");
    let position = files.positions.get(path.as_str())?;
    Some(format!("{}#{}", files.viewer, anchors::file_anchor(*position)))
}

/// Undoes percent encoding. Returns `None` for invalid UTF-8.
fn decoded(text: &str) -> Option<String> {
    percent_decode_str(text).decode_utf8().ok().map(Into::into)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn link_leads_to_a_site_heading_or_file() {
        let files = Files::new(&["SKILL.md", "docs/a b.md", "ü.txt"], "1.0.0/");
        for (destination, expected) in [
            ("https://example.org/a?b=c#d", Some("https://example.org/a?b=c#d")),
            ("HTTP://example.org", Some("HTTP://example.org")),
            ("mailto:a@example.org", Some("mailto:a@example.org")),
            ("#Getting-Started", Some("#readme-getting-started")),
            ("#%C3%BCber", Some("#readme-über")),
            ("SKILL.md", Some("1.0.0/#file-1")),
            ("./docs/../docs/a%20b.md#part", Some("1.0.0/#file-2")),
            ("%C3%BC.txt", Some("1.0.0/#file-3")),
            ("", None),
            ("#", None),
            ("missing.md", None),
            ("../SKILL.md", None),
            ("/SKILL.md", None),
            ("//example.org", None),
            ("http:SKILL.md", None),
            ("https:///x", None),
            ("javascript:alert(1)", None),
            ("JaVaScRiPt:alert(1)", None),
            ("java\tscript:alert(1)", None),
            (" javascript:alert(1)", None),
            ("\u{1}javascript:alert(1)", None),
            ("vbscript:x", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("blob:https://example.org/x", None),
            ("\\\\example.org", None),
            ("%6aavascript:alert(1)", None),
        ] {
            assert_eq!(address(destination, &files).as_deref(), expected, "{destination:?}");
        }
    }
}
