//! Tables for people, and for programs that read them.

use std::fmt::Display;
use std::io;

use client::shown::is_odd;
use comfy_table::{ContentArrangement, Table};
use console::Term;

use crate::output;

/// Prints a table.
pub fn print(table: Table) -> io::Result<()> {
    output::print(&text(table))
}

/// The lines of a table. On a terminal its cells are wrapped to the terminal's width;
/// elsewhere a row is a line, however long, for programs that read lines.
pub fn text(mut table: Table) -> String {
    let terminal = Term::stdout();
    let width = terminal.size_checked().filter(|_| terminal.is_term()).map(|(_, width)| width);
    // A terminal that says 0 does not know.
    if let Some(width) = width.filter(|width| *width > 0) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    format!("{}\n", table.trim_fmt())
}

/// A text in one line: whatever would break it, or show it as another text, is escaped.
pub fn line(text: impl Display) -> String {
    escaped(text, is_odd)
}

/// The same of a text that may have several lines.
pub fn harmless(text: impl Display) -> String {
    escaped(text, |c| c != '\n' && is_odd(c))
}

fn escaped(text: impl Display, is_odd: impl Fn(char) -> bool) -> String {
    let text = text.to_string();
    if !text.contains(&is_odd) {
        return text;
    }
    let shown = |c: char| if is_odd(c) { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(line("Zoë's 'skill'"), "Zoë's 'skill'");
        assert_eq!(line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(harmless("a\nb\u{1b}[2J"), "a\nb\\u{1b}[2J");
    }

    #[test]
    fn nothing_shows_itself_as_another_text() {
        assert_eq!(line("\u{202e}gpj.exe"), "\\u{202e}gpj.exe");
        assert_eq!(line("a\u{2066}b\u{200b}c\u{feff}"), "a\\u{2066}b\\u{200b}c\\u{feff}");
        // Scripts and emoji need these.
        assert_eq!(line("👩\u{200d}💻 ❤\u{fe0f}"), "👩\u{200d}💻 ❤\u{fe0f}");
    }
}
