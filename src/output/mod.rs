//! What commands print. Unlike `println!`, nothing here panics when the reader has gone or
//! the disk is full.

mod progress;
mod table;

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};

pub use client::sanitize::{escape_controls, escape_line};
pub use progress::progress_bar;
pub use table::{borderless, table_text, terminal_width};

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

/// Prints a line on standard error as it is: a JSON document.
pub fn print_json_error(document: impl Display) {
    // There is no other place to report that this failed.
    let _ = writeln!(io::stderr().lock(), "{document}");
}
