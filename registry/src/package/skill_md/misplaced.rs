//! Finds front matter that does not begin on the first line with a fence.

use super::extent::extent;
use super::front_matter::{is_fence_like, key_of};

/// Front matter in an unusual place or form.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Misplaced {
    pub form: Form,
    /// Where it begins, with its fence: in bytes, and the line from 1.
    pub start: usize,
    pub line: u64,
    /// Where its keys begin.
    pub keys: usize,
    pub keys_line: u64,
    /// Whether nothing that a page shows is above it.
    pub is_first: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Between fences, below other lines.
    Fenced,
    /// Keys without a fence above them.
    Bare,
    /// In a block of code.
    Code,
}

impl Form {
    /// What is wrong with front matter on `line`, and what to do.
    pub(super) fn problem(self, line: u64) -> (String, &'static str) {
        match self {
            Self::Fenced => (
                format!("the front matter on line {line} has to come first"),
                "begin the file with its line `---`",
            ),
            Self::Bare => (
                format!("the front matter on line {line} has no line `---` above it"),
                "write one above it, on the first line of the file, and one below it",
            ),
            Self::Code => (
                format!("the front matter on line {line} is in a block of code"),
                "begin the file with a line `---`, and remove the lines with backquotes",
            ),
        }
    }
}

/// Lines of text above front matter. Below, it is an example or something else.
const MAX_LINES_ABOVE: usize = 40;

/// What is above the front matter so far.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Above {
    /// Blank lines, comments and rules.
    Nothing,
    Headings,
    Text,
}

/// Finds front matter in a text without one on its first line.
pub(super) fn find(text: &str) -> Option<Misplaced> {
    let mut above = Above::Nothing;
    let mut seen = 0;
    let mut skip_to = None;
    let (mut start, mut line) = (0, 0);
    for whole in text.split_inclusive('\n') {
        (start, line) = (start + whole.len(), line + 1);
        let rest = &text[start..];
        // A comment or block of code goes on up to a line with this.
        if let Some(end) = skip_to {
            if whole.contains(end) {
                skip_to = None;
            }
            continue;
        }
        let content = whole.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\u{200b}');
        let begin = start - whole.len();
        let found = |form, keys, keys_line| {
            let is_first = above == Above::Nothing;
            Some(Misplaced { form, start: begin, line, keys, keys_line, is_first })
        };
        if content.is_empty() {
            continue;
        }
        if let Some(comment) = content.strip_prefix("<!--") {
            skip_to = (!comment.contains("-->")).then_some("-->");
            continue;
        }
        if is_fence_like(content) {
            let is_close = key_of(rest.lines().next().unwrap_or_default().trim_end()).is_some();
            if has_keys(rest, false) && (is_close || above < Above::Text) {
                return found(Form::Fenced, start, line + 1);
            }
            continue;
        }
        if let Some(fence) = ["```", "~~~"].into_iter().find(|fence| content.starts_with(fence)) {
            let opening = rest.split_inclusive('\n').next().filter(|first| is_fence_like(first));
            let keys = start + opening.map_or(0, str::len);
            if above == Above::Nothing && has_keys(&text[keys..], true) {
                return found(Form::Code, keys, line + 1 + u64::from(opening.is_some()));
            }
            skip_to = Some(fence);
            above = Above::Text;
            continue;
        }
        if above < Above::Text && is_first_key(content) && has_keys(&text[begin..], false) {
            return found(Form::Bare, begin, line);
        }
        above = above.max(if content.starts_with('#') { Above::Headings } else { Above::Text });
        seen += 1;
        if seen > MAX_LINES_ABOVE {
            break;
        }
    }
    None
}

/// Whether a line may be the first one of front matter without a fence.
fn is_first_key(line: &str) -> bool {
    const KEYS: [&str; 8] =
        ["name", "description", "version", "title", "license", "author", "metadata", "homepage"];
    key_of(line).is_some_and(|(key, _)| KEYS.contains(&key))
}

/// Whether a text begins with keys, among them `name` or `description`, or both.
fn has_keys(text: &str, both: bool) -> bool {
    let block = &text[..extent(text).bytes];
    let mut lines = block.lines().map(str::trim_end);
    let first = lines.clone().find(|line| !line.is_empty() && !line.starts_with('#'));
    let has = |key: &str| lines.clone().any(|line| key_of(line).is_some_and(|(k, _)| k == key));
    let (name, description) = (has("name"), has("description"));
    lines.next();
    first.is_some_and(|line| key_of(line).is_some())
        && if both { name && description } else { name || description }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRONT: &str = "name: x\ndescription: y\n";

    fn found(text: &str) -> Option<(Form, u64, bool)> {
        find(text).map(|found| (found.form, found.line, found.is_first))
    }

    #[test]
    fn front_matter_below_other_lines_is_found() {
        for (above, line, is_first) in [
            ("\n\n", 3, true),
            ("<!-- a comment -->\n", 2, true),
            ("<!-- a\n---\ncomment -->\n\n", 5, true),
            ("---\n", 2, true),
            ("# Title\n\n", 3, false),
            ("A line\n", 2, false),
            ("# Title\n\nA text.\n```\ncode\n```\n\n", 8, false),
        ] {
            for fence in ["---", "----", " ---", "———"] {
                let text = format!("{above}{fence}\n{FRONT}---\nText\n");
                assert_eq!(found(&text), Some((Form::Fenced, line, is_first)), "{text:?}");
            }
        }
        assert_eq!(found(&format!("----\n{FRONT}----\n")), Some((Form::Fenced, 1, true)));
    }

    #[test]
    fn front_matter_without_fence_is_found() {
        for text in [FRONT.to_owned(), format!("{FRONT}---\nText\n"), format!("{FRONT}\nText\n")] {
            assert_eq!(found(&text), Some((Form::Bare, 1, true)), "{text:?}");
        }
        assert_eq!(found(&format!("# Title\n\n{FRONT}\nText\n")), Some((Form::Bare, 3, false)));
        for fences in ["", "---\n"] {
            let text = format!("```yaml\n{fences}{FRONT}{fences}```\nText\n");
            assert_eq!(found(&text), Some((Form::Code, 1, true)), "{text:?}");
        }
    }

    #[test]
    fn text_is_not_taken_for_front_matter() {
        for text in [
            "# Title\n\nText\n\n---\n\nMore\n\n---\n".to_owned(),
            format!("# How to write\n\nBegin so:\n\n```\n---\n{FRONT}---\n```\n"),
            format!("<!--\n---\n{FRONT}---\n-->\nText\n"),
            format!("# Title\n\n```yaml\n{FRONT}```\n"),
            format!("Text\n\n{FRONT}"),
            "Note: this\n".to_owned(),
            "---\n---\n".to_owned(),
            format!("{}---\n{FRONT}---\n", "Text\n".repeat(60)),
            String::new(),
        ] {
            assert_eq!(find(&text), None, "{text:?}");
        }
    }
}
