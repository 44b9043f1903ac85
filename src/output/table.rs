//! Tables for people, and for programs that read lines.

use comfy_table::{Cell, ContentArrangement, Row, Table, presets};
use console::Term;

/// A table without borders.
pub fn borderless<H: Into<Cell>, R: Into<Row>>(
    header: impl IntoIterator<Item = H>,
    rows: impl IntoIterator<Item = R>,
) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header).add_rows(rows);
    table
}

/// The lines of a table. On a terminal, cells are wrapped to its width. Elsewhere each row
/// is one line, however long, for programs that read lines.
pub fn table_text(mut table: Table) -> String {
    if let Some(width) = terminal_width() {
        table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
    }
    format!("{}\n", table.trim_fmt())
}

/// The width of the terminal on standard output, if it is one and knows its width.
pub fn terminal_width() -> Option<u16> {
    let terminal = Term::stdout();
    let size = terminal.size_checked().filter(|_| terminal.is_term());
    // A terminal that reports 0 does not know.
    size.map(|(_, width)| width).filter(|width| *width > 0)
}
