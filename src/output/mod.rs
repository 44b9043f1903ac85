//! What commands print. Unlike `println!`, nothing here panics when the reader has gone or
//! the disk is full.

mod progress;
mod table;

use std::error::Error;
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

/// The message of an error and its causes, separated by colons. Leaves out a cause that the
/// message already contains.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let text = error.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
        cause = error.source();
    }
    message
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

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Wrapped(&'static str, Option<Box<Wrapped>>);

    impl Display for Wrapped {
        fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Wrapped {
        fn source(&self) -> Option<&(dyn Error + 'static)> {
            self.1.as_deref().map(|cause| cause as _)
        }
    }

    #[test]
    fn with_causes_joins_the_chain_without_repeats() {
        let disk = || Some(Box::new(Wrapped("disk is full", None)));
        let write = Wrapped("cannot write", disk());
        assert_eq!(with_causes(&write), "cannot write: disk is full");
        let outer = Wrapped("cannot publish", Some(Box::new(write)));
        assert_eq!(with_causes(&outer), "cannot publish: cannot write: disk is full");
        assert_eq!(with_causes(&Wrapped("failed: disk is full", disk())), "failed: disk is full");
    }
}
