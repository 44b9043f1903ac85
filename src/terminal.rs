//! Tables for people, and for programs that read them.

use std::fmt::Display;

use comfy_table::{ContentArrangement, Table};
use console::Term;

/// Prints a table. On a terminal its cells are wrapped to the terminal's width;
/// elsewhere a row is a line, however long, for programs that read lines.
pub fn print(mut table: Table) {
    let terminal = Term::stdout();
    let width = terminal.size_checked().filter(|_| terminal.is_term()).map(|(_, width)| width);
    // A terminal that says 0 does not know.
    if let Some(width) = width.filter(|width| *width > 0) {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    println!("{}", table.trim_fmt());
}

/// The text of a cell in one line: whatever would break it is escaped.
pub fn line(text: impl Display) -> String {
    let text = text.to_string();
    if !text.contains(char::is_control) {
        return text;
    }
    let escaped = |c: char| if c.is_control() { c.escape_default().collect() } else { String::from(c) };
    text.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_one_line() {
        assert_eq!(line("Zoë's 'skill'"), "Zoë's 'skill'");
        assert_eq!(line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
    }
}
