//! Messages of faults are in the project's own words: none has a text of a library.

mod files;
mod hosts;
mod operator;
mod requests;

use crate::harness::CommandOutput;

/// Words that only programmers know: types of Rust, and the messages of the libraries that parse,
/// store and connect. All in lower case.
const LIBRARY_WORDS: [&str; 56] = [
    "expected struct",
    "expected value at",
    "expected ident",
    "expected map",
    "expected tuple",
    "expected enum",
    "expected unit",
    "expected u64",
    "expected u32",
    "expected usize",
    "expected sequence",
    "expected a sequence",
    "invalid type:",
    "invalid value:",
    "invalid length",
    "missing field",
    "unknown field",
    "unknown variant",
    "duplicate field",
    "eof while parsing",
    "trailing characters",
    "key must be a string",
    "toml parse error",
    " at line 1 column",
    "frame descriptor",
    "zip archive: could",
    "eocd",
    "end of central directory",
    "failed to fill whole buffer",
    "did not contain valid utf-8",
    "invalid utf-8 sequence",
    "database disk image",
    "file is not a database",
    "sqlite_",
    "error connecting to server",
    "db error",
    "error(",
    "err(",
    "some(",
    "os {",
    "kind:",
    "panicked",
    "backtrace",
    "generic s3",
    "error performing",
    "builder error",
    "caused by",
    "rustls",
    "serde",
    "ureq",
    "hyper",
    "othererror",
    "peer disconnected",
    "http parse fail",
    "protocol:",
    "corrupt message",
];

/// Faults, and what the program says of them.
#[derive(Default)]
struct Told(Vec<String>);

impl Told {
    /// Notes a message that is missing or has words of a library.
    fn says(&mut self, fault: &str, message: &str) {
        let (message, lower) = (message.trim(), message.to_lowercase());
        let found: Vec<_> = LIBRARY_WORDS.into_iter().filter(|word| lower.contains(word)).collect();
        if message.len() < 20 || !found.is_empty() {
            self.0.push(format!("{fault}: {found:?} in: {message}"));
        }
    }

    /// Notes a command that succeeds, or fails without a message in words for people.
    fn fails(&mut self, fault: &str, output: &CommandOutput) {
        match output.code {
            1 | 2 => self.says(fault, &output.printed()),
            _ => self.0.push(format!("{fault}: {output:?}")),
        }
    }
}

/// A test that forgets to look would pass.
impl Drop for Told {
    #[track_caller]
    fn drop(&mut self) {
        assert!(std::thread::panicking() || self.0.is_empty(), "\n{}", self.0.join("\n\n"));
    }
}
