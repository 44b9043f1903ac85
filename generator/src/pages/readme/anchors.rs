//! Anchors in a page. Those of a readme have a prefix, so they never collide with the page's own.

use std::collections::HashMap;

use serde::Serialize;

/// The part of a heading that its anchor uses, in characters.
const MAX_HEADING_CHARS: usize = 80;

/// The anchor of a file by its position, from 0, in the package's list of files.
pub fn file_anchor(position: usize) -> String {
    format!("file-{}", position + 1)
}

/// The anchor of a heading, in the form that repository hosts use: lower case, `-` for spaces,
/// other punctuation left out.
pub(super) fn heading(text: &str) -> String {
    let kept = text.trim().chars().take(MAX_HEADING_CHARS).flat_map(char::to_lowercase);
    let name: String = kept
        .filter_map(|c| match c {
            ' ' | '-' => Some('-'),
            '_' => Some('_'),
            c => c.is_alphanumeric().then_some(c),
        })
        .collect();
    format!("readme-{name}")
}

/// A heading, for a list of contents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeadingLink {
    /// The anchor in the page.
    pub anchor: String,
    /// The text without markup.
    pub text: String,
    /// Whether it is below another heading of the list.
    pub is_sub: bool,
}

/// The anchors in use. Repeated ones get a number.
#[derive(Default)]
pub(super) struct Anchors(HashMap<String, u32>);

impl Anchors {
    /// A unique anchor for a heading.
    pub(super) fn unique(&mut self, text: &str) -> String {
        let base = heading(text);
        let mut name = base.clone();
        while self.0.contains_key(&name) {
            // The base keeps the count, so a thousand equal headings take a thousand steps.
            let again = self.0.entry(base.clone()).or_default();
            *again += 1;
            name = format!("{base}-{again}");
        }
        self.0.insert(name.clone(), 0);
        name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_heading_gets_a_numbered_anchor() {
        let mut anchors = Anchors::default();
        let given: Vec<String> = ["A b!", "a B", "a b-1", "A b", "Über_uns 中文", "!!", "?"]
            .map(|text| anchors.unique(text))
            .into();
        assert_eq!(
            given,
            [
                "readme-a-b",
                "readme-a-b-1",
                "readme-a-b-1-1",
                "readme-a-b-2",
                "readme-über_uns-中文",
                "readme-",
                "readme--1"
            ]
        );
    }
}
