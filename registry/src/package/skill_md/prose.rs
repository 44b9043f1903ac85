//! The first paragraph of a Markdown text, as plain text.

use super::inline::plain;

/// Finds the first paragraph that says something, and the line (from 1) on
/// which it begins. Headings, comments, images, tables and code are skipped;
/// the first item of a list is taken when there is no paragraph.
pub(super) fn first_paragraph(markdown: &str) -> Option<(String, u64)> {
    let mut found = Search::default();
    let mut number = 0;
    for line in markdown.lines() {
        number += 1;
        if found.line(line, number) {
            break;
        }
    }
    found.end();
    found.paragraph.or(found.item)
}

#[derive(Default)]
struct Search {
    /// The fence that closes the code block we are in.
    code: Option<&'static str>,
    comment: bool,
    open: Option<(String, u64)>,
    paragraph: Option<(String, u64)>,
    item: Option<(String, u64)>,
}

impl Search {
    /// Takes one line in; true when the paragraph is complete.
    fn line(&mut self, line: &str, number: u64) -> bool {
        let text = line.trim();
        if self.comment {
            self.comment = !text.contains("-->");
            return false;
        }
        if let Some(fence) = self.code {
            if text.starts_with(fence) {
                self.code = None;
            }
            return false;
        }
        if is_underline(text) && self.open.is_some() {
            self.open = None; // It was a heading, written above its underline.
            return false;
        }
        let fence = ["```", "~~~"].into_iter().find(|fence| text.starts_with(fence));
        self.code = fence;
        self.comment = text.starts_with("<!--") && !text.contains("-->");
        if let Some(item) = list_item(text) {
            self.end();
            self.item = self.item.take().or_else(|| says_something(item).map(|text| (text, number)));
        } else if fence.is_some() || is_skipped(line, text, self.open.is_some()) {
            self.end();
        } else {
            let text = text.trim_start_matches(['>', ' ']);
            let (open, _) = self.open.get_or_insert_with(|| (String::new(), number));
            open.push_str(text);
            open.push('\n');
        }
        self.paragraph.is_some()
    }

    fn end(&mut self) {
        if let Some((text, line)) = self.open.take()
            && self.paragraph.is_none()
        {
            self.paragraph = says_something(&text).map(|text| (text, line));
        }
    }
}

fn says_something(markdown: &str) -> Option<String> {
    // A description has 1,024 characters: far more markup than that is not read.
    let start: String = markdown.chars().take(8_000).collect();
    let text = plain(&start);
    let label = text.get(..12).is_some_and(|label| label.eq_ignore_ascii_case("description:"));
    let text = if label { text[12..].trim_start().to_owned() } else { text };
    text.chars().any(char::is_alphanumeric).then_some(text)
}

pub(super) fn is_underline(text: &str) -> bool {
    !text.is_empty() && (text.bytes().all(|b| b == b'=') || text.bytes().all(|b| b == b'-'))
}

pub(super) fn list_item(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let numbered = || text.get(digits..)?.strip_prefix(['.', ')'])?.strip_prefix(' ');
    let bullet = ["- ", "* ", "+ "].into_iter().find_map(|mark| text.strip_prefix(mark));
    bullet.or_else(|| if digits > 0 { numbered() } else { None })
}

/// Whether a line is no part of a paragraph.
fn is_skipped(line: &str, text: &str, inside: bool) -> bool {
    let rule = || {
        let marks: Vec<char> = text.chars().filter(|c| *c != ' ').collect();
        marks.len() >= 3 && ['-', '*', '_'].iter().any(|mark| marks.iter().all(|c| c == mark))
    };
    let indented = !inside && (line.starts_with("    ") || line.starts_with('\t'));
    text.is_empty() || text.starts_with(['#', '|', '<']) || indented || rule()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(markdown: &str) -> Option<(String, u64)> {
        first_paragraph(markdown)
    }

    #[test]
    fn what_comes_before_is_skipped() {
        let text = "# Title\n\n[![b](x)](y) ![i](z)\n<!-- a\nb -->\n<p>\n```sh\ncode\n```\nSub\n---\n| a |\n***\n\nHello\n  **big** `code_x` [world](http://x). snake_case _em_\n## next\nmore";
        assert_eq!(first(text), Some(("Hello big code_x world. snake_case em".into(), 15)));
        assert_eq!(first("> Quoted \\*x\\*\n"), Some(("Quoted *x*".into(), 1)));
        assert_eq!(first("**Description:** It does."), Some(("It does.".into(), 1)));
        assert_eq!(first("a < b <br> c"), Some(("a < b c".into(), 1)));
    }

    #[test]
    fn a_list_is_better_than_nothing() {
        assert_eq!(first("# T\n- one **two**\n- three\n"), Some(("one two".into(), 2)));
        assert_eq!(first("1. one\n\ntext"), Some(("text".into(), 3)));
        for nothing in ["", "# only\n", "```\ncode\n```\n", "***\n", "<!-- x -->\n"] {
            assert_eq!(first(nothing), None, "{nothing:?}");
        }
    }

    #[test]
    fn many_brackets_end_soon() {
        for evil in ["[", "![", "[[]", "<", "[a]("] {
            first(&evil.repeat(20_000));
        }
    }
}
