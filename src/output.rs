//! What commands print. Unlike `println!`, nothing here panics when the reader has gone or
//! the disk is full.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use comfy_table::{Cell, ContentArrangement, Row, Table, presets};
use console::Term;
use indicatif::{ProgressBar, ProgressStyle};

pub use registry::sanitize::{escape_controls, escape_line};

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
