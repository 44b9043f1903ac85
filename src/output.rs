//! What commands print. Unlike `println!`, nothing here panics when the reader has gone or
//! the disk is full.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Row, Table, presets};
use console::{Term, measure_text_width};
use indicatif::{ProgressBar, ProgressStyle};

pub use registry::sanitize::{escape_controls, escape_line};

/// The spaces between two columns of a table.
const GAP: usize = 2;

/// Prints whole lines on standard output. A closed pipe is no error: its reader wants no
/// more. The text of any other error is a message for people.
pub fn print(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    // Without the flush, an error while the buffer is dropped would be lost.
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => {
            Err(format!("cannot write to standard output: {why}"))
        }
        _ => Ok(()),
    }
}

/// Prints a message on standard error, after the name of the program. Control characters
/// are escaped, because messages quote texts of others.
pub fn print_error(message: impl Display) {
    print_json_error(format_args!("skillmirror: {}", escape_controls(message)));
}

/// Prints a note about a success on standard error, so that standard output stays as it is.
/// Control characters are escaped.
pub fn print_note(message: impl Display) {
    print_json_error(escape_controls(message));
}

/// Prints a line on standard error as it is: a JSON document.
pub fn print_json_error(document: impl Display) {
    // There is no other place to report that this failed.
    let _ = writeln!(io::stderr().lock(), "{document}");
}

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

/// The lines of a table. A terminal that is too narrow loses columns: those named in `least`, in that
/// order, until the others fit. If they do not, their cells are wrapped. Elsewhere each row is one line.
/// Numbers are aligned to the right.
pub fn narrowing_table<const N: usize>(
    header: [&str; N],
    least: &[&str],
    rows: impl IntoIterator<Item = [String; N]>,
) -> String {
    let rows: Vec<_> = rows.into_iter().collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].as_str()).chain([header[column]]);
        cells.map(measure_text_width).max().unwrap_or_default()
    };
    let mut columns: Vec<usize> = (0..N).collect();
    let terminal = terminal_width().map_or(usize::MAX, usize::from);
    for name in least {
        let total: usize = columns.iter().map(|column| width(*column) + GAP).sum();
        if total.saturating_sub(GAP) <= terminal {
            break;
        }
        columns.retain(|column| header[*column] != *name);
    }
    let is_number = |cell: &str| !cell.is_empty() && cell.bytes().all(|byte| byte.is_ascii_digit());
    let numbers = |column: usize| {
        let mut cells = rows.iter().map(|row| row[column].as_str());
        cells.clone().any(is_number) && cells.all(|cell| cell == "-" || is_number(cell))
    };
    let alignments: Vec<_> = columns
        .iter()
        .map(|column| if numbers(*column) { CellAlignment::Right } else { CellAlignment::Left })
        .collect();
    let cells = columns.iter().map(|column| header[*column]);
    let rows = rows.iter().map(|row| columns.iter().map(|column| row[*column].clone()).collect::<Vec<_>>());
    let mut table = borderless(cells, rows);
    for (column, alignment) in table.column_iter_mut().zip(alignments) {
        column.set_padding((0, GAP as u16)).set_cell_alignment(alignment);
    }
    table_text(table)
}

/// The width of the terminal on standard output, if it is one and knows its width.
pub fn terminal_width() -> Option<u16> {
    let terminal = Term::stdout();
    let size = terminal.size_checked().filter(|_| terminal.is_term());
    // A terminal that reports 0 does not know.
    size.map(|(_, width)| width).filter(|width| *width > 0)
}

/// A bar for `length` steps on standard error. It draws nothing unless that is a terminal.
pub fn progress_bar(length: u64, template: &str) -> ProgressBar {
    let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
    ProgressBar::new(length).with_style(style)
}
