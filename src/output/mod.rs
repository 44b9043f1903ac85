//! What commands print. Unlike `println!`, nothing here panics when the reader has gone or
//! the disk is full.

mod slow_bar;
mod table;

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

use console::{Term, style};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use serde_json::json;

pub use registry::sanitize::{escape_controls, escape_json, escape_line, one_line};
pub use slow_bar::SlowBar;
pub use table::{borderless, narrowing_table, table_text};

/// A number with its noun: `1 line`, `2 lines`.
pub fn count(number: impl Display, noun: &str) -> String {
    let number = number.to_string();
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// How a command prints its result and its failure.
#[derive(Debug, Clone, Copy)]
pub struct Printer {
    /// As JSON for programs, instead of text for people.
    pub as_json: bool,
}

/// A list, for programs. The commands of the client print lists of their own.
#[cfg(feature = "operator")]
#[derive(Debug, Serialize)]
pub struct Items<T> {
    /// What it contains.
    pub items: Vec<T>,
}

impl Printer {
    /// Prints a result on standard output: `text`, which is whole lines, or `record` as one document. Errors
    /// as [`print`].
    pub fn report(self, text: impl Display, record: &impl Serialize) -> Result<(), String> {
        if !self.as_json {
            return print(&text.to_string());
        }
        let record = serde_json::to_string(record).map_err(|why| why.to_string())?;
        print(&format!("{}\n", escape_json(record)))
    }

    /// Prints a failure on standard error. Programs know its kind by `code`.
    pub fn failure(self, code: &str, message: impl Display) {
        if self.as_json {
            let message = escape_controls(message);
            print_json_error(json!({"error": {"code": code, "message": message}}));
        } else {
            print_error(message);
        }
    }
}

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
    let name = style("skillmirror:").red().bold().for_stderr();
    print_to_standard_error(format_args!("{name} {}", escape_controls(message)));
}

/// The most names in a message.
const MAX_NAMES: usize = 10;

/// The first names, escaped, and how many more there are.
pub fn shortened(names: &[String]) -> String {
    let shown: Vec<String> = names.iter().take(MAX_NAMES).map(escape_line).collect();
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

/// Prints a warning on standard error, as one line.
pub fn print_warning(message: impl Display) {
    let word = style("warning:").yellow().bold().for_stderr();
    print_to_standard_error(format_args!("{word} {}", escape_line(message)));
}

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It refuses the package.
    Error,
    /// It does not.
    Warning,
}

/// The word for a severity on standard output, in its colour on a terminal.
pub fn severity(severity: Severity) -> String {
    match severity {
        Severity::Error => style("error").red().bold().to_string(),
        Severity::Warning => style("warning").yellow().bold().to_string(),
    }
}

/// Asks for an answer on standard error, and stays on the line.
pub fn prompt(question: &str) {
    let mut err = io::stderr().lock();
    // A question that cannot be seen is still answered.
    let _ = write!(err, "{}", escape_controls(question)).and_then(|()| err.flush());
}

/// Prints a note about a success on standard error, so that standard output stays as it is.
/// Control characters are escaped.
pub fn print_note(message: impl Display) {
    print_to_standard_error(escape_controls(message));
}

/// Prints a JSON document on standard error. Unsafe characters are escapes of JSON.
pub fn print_json_error(document: impl Display) {
    print_to_standard_error(escape_json(document));
}

fn print_to_standard_error(line: impl Display) {
    // There is no other place to report that this failed.
    let _ = writeln!(io::stderr().lock(), "{line}");
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
