//! What commands print. Nothing here panics where `println!` does: whoever reads may have
//! stopped, and a disk may be full.

use std::io::{self, ErrorKind, Write};

use crate::terminal::harmless;

/// Prints whole lines on standard output. Whoever has stopped reading wants no more; every
/// other failure is one.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    // What stays in a buffer fails where nobody looks.
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(why) if why.kind() != ErrorKind::BrokenPipe => Err(why),
        _ => Ok(()),
    }
}

/// What is said where standard output takes nothing.
pub fn unprinted(why: &io::Error) -> String {
    format!("what was found or done cannot be printed: {why}")
}

/// Says something on standard error, behind the name of the program. It may quote what
/// others wrote.
pub fn complain(message: &str) {
    complain_in_json(format_args!("skillmirror: {}", harmless(message)));
}

/// Prints a line on standard error as it is: a document.
pub fn complain_in_json(document: impl std::fmt::Display) {
    // There is nowhere left to say that it failed.
    let _ = writeln!(io::stderr().lock(), "{document}");
}
