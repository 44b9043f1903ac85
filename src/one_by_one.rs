//! What became of several things that a command was asked for: each is done, or
//! fails, by itself.

use std::process::ExitCode;

use client::ClientError;
use client::install::InstallError;
use serde_json::{Value, json};

use crate::output;
use crate::terminal::{harmless, line};

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
    pub fn done(&mut self, text: &str, item: Value) {
        self.text += &line(text);
        self.text.push('\n');
        self.items.push(item);
    }

    /// Whole lines for people, of several things.
    pub fn show(&mut self, text: &str) {
        self.text += text;
    }

    /// Something was not.
    pub fn failed(&mut self, what: &str, why: &InstallError) {
        let (what, code) = (what.to_owned(), why.code().to_owned());
        self.failures.push(Failed { what, code, message: harmless(why) });
    }

    /// Nothing could be begun.
    pub fn not_begun(why: ClientError) -> Self {
        let mut none = Self::default();
        none.failed("", &why.into());
        none
    }

    /// Prints it: what was done on standard output, the failures on standard error,
    /// and in JSON where `json` says so, one document on each.
    pub fn finish(mut self, as_json: bool) -> ExitCode {
        let has_documents = self.failures.is_empty() || !self.items.is_empty();
        let text = match as_json {
            true if has_documents => format!("{}\n", json!({"items": self.items})),
            true => String::new(),
            false => std::mem::take(&mut self.text),
        };
        if let Err(why) = output::print(&text) {
            let (what, code) = (String::new(), "output".to_owned());
            self.failures.push(Failed { what, code, message: output::unprinted(&why) });
        }
        match self.error().filter(|_| as_json) {
            Some(error) => output::complain_in_json(json!({"error": error})),
            None => self.failures.iter().for_each(|failed| output::complain(&failed.message)),
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
