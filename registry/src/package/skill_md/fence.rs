//! Fenced code in Markdown.

/// A fence that was opened: its mark and length, and where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fence {
    mark: char,
    length: usize,
    column: usize,
    /// Where the text of the list item begins whose first line it is; 0 outside.
    item: usize,
}

/// How many columns a line is indented; a tab reaches to the next fourth one.
pub(super) fn indent(line: &str) -> usize {
    let blank = line.chars().take_while(|c| matches!(c, ' ' | '\t'));
    blank.fold(0, |column, c| if c == '\t' { column / 4 * 4 + 4 } else { column + 1 })
}

impl Fence {
    /// The fence that a line opens. `text` is the line without the white space
    /// around it, or what is behind the mark of its list item.
    pub(super) fn opened_by(line: &str, text: &str) -> Option<Self> {
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'))?;
        let info = text.trim_start_matches(mark);
        let length = text.len() - info.len();
        // With a backtick behind them, backticks are code in a line.
        if length < 3 || (mark == '`' && info.contains('`')) {
            return None;
        }
        let list_mark = line.trim().len().saturating_sub(text.len());
        let column = indent(line) + list_mark;
        Some(Self { mark, length, column, item: if list_mark > 0 { column } else { 0 } })
    }

    /// Whether a line closes it.
    pub(super) fn is_closed_by(self, line: &str) -> bool {
        let text = line.trim();
        text.len() >= self.length && text.chars().all(|c| c == self.mark) && indent(line) < self.column + 4
    }

    /// Whether a line is outside of it though nothing closed it: it is no part of
    /// the list item that the fence stands in.
    pub(super) fn is_left_by(self, line: &str) -> bool {
        !line.trim().is_empty() && indent(line) < self.item
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(line: &str) -> Option<Fence> {
        Fence::opened_by(line, line.trim())
    }

    #[test]
    fn a_fence_has_three_marks_or_more() {
        assert!(opened("```").is_some() && opened("  ~~~~ rust `x`").is_some());
        for none in ["``", "~~", "``` a`b", "x```", "", "`~`"] {
            assert_eq!(opened(none), None, "{none:?}");
        }
    }

    #[test]
    fn it_ends_with_as_many() {
        let fence = opened("````md").unwrap();
        for open in ["```", "````md", "~~~~", "    ````", ""] {
            assert!(!fence.is_closed_by(open), "{open:?}");
        }
        assert!(fence.is_closed_by("   `````  ") && !fence.is_left_by("x"));
    }

    #[test]
    fn a_list_item_ends_its_fence() {
        let fence = Fence::opened_by(" - ```sh", "```sh").unwrap();
        assert_eq!((fence.column, fence.item), (3, 3));
        assert!(fence.is_closed_by("   ```") && fence.is_closed_by("```"));
        assert!(fence.is_left_by("x") && !fence.is_left_by("") && !fence.is_left_by("   x"));
    }

    #[test]
    fn tabs_count_as_columns() {
        assert_eq!((indent("\tx"), indent("  \tx"), indent("   x"), indent("")), (4, 4, 3, 0));
    }
}
