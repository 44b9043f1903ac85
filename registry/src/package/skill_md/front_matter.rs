//! The front matter of SKILL.md: found between its fences and read as YAML.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// Front matter as it was read.
#[derive(Debug, Default)]
pub(super) struct FrontMatter {
    /// Its values as JSON.
    pub map: Map<String, Value>,
    /// The scalars of the first level and of `metadata`, as they are written:
    /// `1.10` is a number to JSON, and would become 1.1. Keys of the second
    /// level are `metadata.<key>`.
    pub texts: BTreeMap<String, String>,
    /// The lines in the file on which those keys stand.
    pub lines: BTreeMap<String, u64>,
}

impl FrontMatter {
    /// The line of a key, or that of the opening fence.
    pub(super) fn line(&self, key: &str) -> u64 {
        self.lines.get(key).copied().unwrap_or(1)
    }

    /// The value of a key, `metadata.<key>` being one of the second level.
    /// Null is as good as absent.
    pub(super) fn value(&self, key: &str) -> Option<&Value> {
        let value = match key.strip_prefix("metadata.") {
            Some(inner) => self.map.get("metadata")?.get(inner)?,
            None => self.map.get(key)?,
        };
        (!value.is_null()).then_some(value)
    }
}

/// A text cut at its fences. Lines count from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cut<'t> {
    pub fence: Fence,
    /// What is between the fences; all that follows an unclosed one.
    pub yaml: &'t str,
    /// The line of its first line in the file.
    pub yaml_line: u64,
    /// What follows the front matter.
    pub body: &'t str,
    pub body_line: u64,
}

/// How front matter is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    Closed,
    Unclosed,
    Missing,
}

/// Cuts a text into front matter and body. A byte order mark is no part of it.
pub(super) fn cut(text: &str) -> Cut<'_> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = text.split_inclusive('\n');
    let opening = lines.next().unwrap_or_default();
    if !is_fence(opening) {
        return Cut { fence: Fence::Missing, yaml: "", yaml_line: 1, body: text, body_line: 1 };
    }
    let rest = text.get(opening.len()..).unwrap_or_default();
    let (mut at, mut number) = (0, 2);
    for line in lines {
        let after = at + line.len();
        if is_fence(line) {
            let (yaml, body) = (rest.get(..at), rest.get(after..));
            return Cut {
                fence: Fence::Closed,
                yaml: yaml.unwrap_or_default(),
                yaml_line: 2,
                body: body.unwrap_or_default(),
                body_line: number + 1,
            };
        }
        at = after;
        number += 1;
    }
    Cut { fence: Fence::Unclosed, yaml: rest, yaml_line: 2, body: "", body_line: number }
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences() {
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
