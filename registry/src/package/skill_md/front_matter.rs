//! The front matter of SKILL.md, between its fences `---`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use crate::package::is_invisible;

/// The content of front matter.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    /// The values as JSON.
    pub map: Map<String, Value>,
    /// The scalars of the first level and of `metadata` as they are written, because JSON
    /// would turn `1.10` into 1.1. Keys of the second level are `metadata.<key>`.
    pub texts: BTreeMap<String, String>,
    /// The lines of these keys in the file.
    pub lines: BTreeMap<String, u64>,
}

impl FrontMatter {
    /// The line of a key. Default: the line of the opening fence.
    pub(super) fn line(&self, key: &str) -> u64 {
        self.lines.get(key).copied().unwrap_or(1)
    }

    /// The value of a key of the first level, or of `metadata.<key>`. Null counts as absent.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        let value = match key.strip_prefix("metadata.") {
            Some(inner) => self.map.get("metadata")?.get(inner)?,
            None => self.map.get(key)?,
        };
        (!value.is_null()).then_some(value)
    }
}

/// A text that is cut at its fences. Lines count from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut<'t> {
    pub fence: Fence,
    /// The text between the fences, or all text after an unclosed fence.
    pub yaml: &'t str,
    /// The line in the file where `yaml` starts.
    pub yaml_line: u64,
    /// The text after the front matter.
    pub body: &'t str,
    pub body_line: u64,
}

/// Whether a text has fences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    Closed,
    Unclosed,
    Missing,
}

/// Cuts a text into front matter and body, without its byte order mark.
pub(super) fn cut(text: &str) -> Cut<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().unwrap_or_default();
    if !is_fence(opening) {
        return Cut { fence: Fence::Missing, yaml: "", yaml_line: 1, body: text, body_line: 1 };
    }
    let rest = &text[opening.len()..];
    let (mut at, mut number) = (0, 2);
    for line in lines {
        let after = at + line.len();
        if is_fence(line) {
            let (yaml, body) = (&rest[..at], &rest[after..]);
            return Cut { fence: Fence::Closed, yaml, yaml_line: 2, body, body_line: number + 1 };
        }
        at = after;
        number += 1;
    }
    Cut { fence: Fence::Unclosed, yaml: rest, yaml_line: 2, body: "", body_line: number }
}

pub(super) fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// Whether a line is meant as a fence: also with more dashes, with long dashes of word
/// processors, indented, after an invisible character, or the `...` of YAML.
pub(super) fn is_fence_like(line: &str) -> bool {
    let line = line.trim_matches(|c: char| c.is_whitespace() || is_invisible(c));
    let dashes = line.chars().count();
    let is_long = dashes >= 3 || line.contains(['\u{2013}', '\u{2014}']);
    line == "..."
        || (is_long && line.chars().all(|c| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}')))
}

/// The key at the start of a line, and the text after its colon.
pub(super) fn key_of(line: &str) -> Option<(&str, &str)> {
    let (key, value) = line.split_once(':')?;
    let inner = key.strip_prefix('"').and_then(|k| k.strip_suffix('"')).unwrap_or(key);
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let good =
        !inner.is_empty() && inner.len() <= 64 && inner.chars().all(allowed) && !inner.starts_with('-');
    (good && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (inner, value.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_at_its_fences() {
        let got = cut("\u{feff}---\r\na: 1\r\n--- \r\nbody\n---\n");
        assert_eq!(
            (got.fence, got.yaml, got.body, got.body_line),
            (Fence::Closed, "a: 1\r\n", "body\n---\n", 4)
        );
        assert_eq!(cut("---\na: 1\n").fence, Fence::Unclosed);
        assert_eq!(cut("---\na: 1\n").yaml, "a: 1\n");
        for text in ["", "x", "----\na\n---\n", "\n---\na: 1\n---\n"] {
            assert_eq!(cut(text).fence, Fence::Missing, "{text:?}");
        }
        assert_eq!(cut("---\n---").fence, Fence::Closed);
    }
}
