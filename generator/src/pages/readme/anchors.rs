//! Names of places in a page. A reader's text gets its own behind a prefix, so that it
//! can take none of the page's.

use std::collections::HashMap;

/// Characters of a heading that are in its anchor.
const MAX_HEADING_CHARS: usize = 80;

/// The anchor of the file at that position, from 0, of a package's list of files.
pub fn file_anchor(position: usize) -> String {
    format!("file-{}", position + 1)
}

/// The anchor that a link to a heading names, in the form that hosts of repositories
/// give headings: lower case, `-` for spaces, other punctuation left out.
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

/// The anchors that were given: the second of equal ones gets a number.
#[derive(Default)]
pub(super) struct Anchors(HashMap<String, u32>);

impl Anchors {
    /// An anchor for a heading of that text, which no other has.
    pub(super) fn give(&mut self, text: &str) -> String {
        let base = heading(text);
        let mut name = base.clone();
        while self.0.contains_key(&name) {
            // Counted up for the base: a thousand equal headings are a thousand steps.
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
    fn headings_have_different_anchors() {
        let mut anchors = Anchors::default();
        let given: Vec<String> =
            ["A b!", "a B", "a b-1", "A b", "Über_uns 中文", "!!", "?"].map(|text| anchors.give(text)).into();
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
