//! What became of several things that a command was asked for: each is done, or
//! fails, by itself.

use std::io::Write;
use std::process::ExitCode;

use client::ClientError;
use client::install::InstallError;
use serde_json::{Value, json};

/// What was done, and what not.
#[derive(Default)]
pub struct OneByOne {
    /// Lines for people.
    text: String,
    items: Vec<Value>,
    failures: Vec<Failed>,
}

struct Failed {
    /// What it was about, as it was asked for.
    what: String,
    code: String,
    message: String,
}

impl OneByOne {
    /// Something was done: a line for people, and its record for programs.
    pub fn done(&mut self, line: &str, item: Value) {
        self.text.push_str(line);
        self.text.push('\n');
        self.items.push(item);
    }

    /// Something was not.
    pub fn failed(&mut self, what: &str, why: &InstallError) {
        let (what, code) = (what.to_owned(), why.code().to_owned());
        self.failures.push(Failed { what, code, message: why.to_string() });
    }

    /// Nothing could be begun.
    pub fn not_begun(why: ClientError) -> Self {
        let mut none = Self::default();
        none.failed("", &why.into());
        none
    }

    /// Prints it: what was done on standard output, the failures on standard error,
    /// and in JSON where `json` says so, one document on each.
    pub fn finish(self, as_json: bool) -> ExitCode {
        if !as_json {
            put(&self.text);
            self.failures.iter().for_each(|failed| eprintln!("skillmirror: {}", failed.message));
        } else {
            if self.failures.is_empty() || !self.items.is_empty() {
                put(&format!("{}\n", json!({"items": self.items})));
            }
            if let Some(error) = self.error() {
                eprintln!("{}", json!({"error": error}));
            }
        }
        if self.failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
    }

    /// One failure as it is; of several the messages together, and each by itself.
    fn error(&self) -> Option<Value> {
        let each = self.failures.iter();
        let errors: Vec<Value> = each
            .map(|failed| json!({"skill": failed.what, "code": failed.code, "message": failed.message}))
            .collect();
        match self.failures.as_slice() {
            [] => None,
            [one] => Some(json!({"code": one.code, "message": one.message, "errors": errors})),
            several => {
                let messages: Vec<&str> = several.iter().map(|failed| failed.message.as_str()).collect();
                Some(json!({"code": "several", "message": messages.join("\n"), "errors": errors}))
            }
        }
    }
}

/// Prints text on standard output. Whoever has stopped reading wants no more.
fn put(text: &str) {
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
}
