//! The report of a command on several skills, each of which succeeds or fails on its own.

use std::process::ExitCode;

use clap::Args;
use client::install::InstallError;
use serde_json::{Value, json};

use registry::with_causes;

use crate::output::{self, escape_controls, escape_json, escape_line};

/// The option of commands that report on each skill.
#[derive(Debug, Clone, Copy, Default, Args)]
pub struct Quiet {
    /// Print only failures and warnings
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
}

/// What succeeded, and what failed.
#[derive(Default)]
pub struct BatchReport {
    /// Lines for people.
    text: String,
    items: Vec<Value>,
    failures: Vec<Failed>,
    /// Whether the exit code is 1 even without failures.
    exits_with_failure: bool,
    /// Whether people see only failures.
    is_quiet: bool,
}

struct Failed {
    /// The skill as it was asked for. Empty if the failure is about none.
    skill: String,
    code: String,
    message: String,
}

impl BatchReport {
    /// The report of a command that says why it waits, and what it has found in a file of the project. A
    /// program that reads JSON gets no such line.
    pub fn with_notices(as_json: bool, quiet: Quiet) -> Self {
        if !as_json {
            client::notice::show_with(|line| output::print_note(line));
        }
        Self { is_quiet: quiet.quiet, ..Self::default() }
    }

    /// The report of a command that failed before its first skill.
    pub fn of_failure(why: &InstallError) -> Self {
        let mut report = Self::default();
        report.failed("", why);
        report
    }

    /// Adds a success: a line for people, and a record for programs.
    pub fn done(&mut self, text: &str, item: Value) {
        self.text += &escape_line(text);
        self.text.push('\n');
        self.items.push(item);
    }

    /// Adds a record for programs that people need not see.
    pub fn add(&mut self, item: Value) {
        self.items.push(item);
    }

    /// Adds whole lines for people.
    pub fn show(&mut self, text: &str) {
        self.text += text;
    }

    /// Makes the exit code 1 without a message, because the items say what is wrong.
    pub fn exit_with_failure(&mut self) {
        self.exits_with_failure = true;
    }

    /// Whether something failed.
    pub fn has_failures(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Whether the policy refused something.
    pub fn is_refused(&self) -> bool {
        self.failures.iter().any(|failed| failed.code == "policy")
    }

    /// Whether nothing was done, and nothing failed.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty() && self.failures.is_empty()
    }

    /// Adds one failure of all these skills. Without any, or after some of them succeeded or failed, it is
    /// about none of them.
    pub fn all_failed(&mut self, skills: &[String], why: &InstallError) {
        if skills.is_empty() || !self.is_empty() {
            return self.failed("", why);
        }
        skills.iter().for_each(|skill| self.failed(skill, why));
    }

    /// Adds a failure.
    pub fn failed(&mut self, skill: &str, why: &InstallError) {
        self.add_failure(skill, why.code(), escape_controls(with_causes(why)));
    }

    fn add_failure(&mut self, skill: &str, code: &str, message: String) {
        self.failures.push(Failed { skill: skill.to_owned(), code: code.to_owned(), message });
    }

    /// Prints successes on standard output and failures on standard error. As JSON, each is
    /// one document.
    pub fn finish(mut self, as_json: bool) -> ExitCode {
        let text = if !as_json {
            if self.is_quiet { String::new() } else { std::mem::take(&mut self.text) }
        } else if self.failures.is_empty() || !self.items.is_empty() {
            format!("{}\n", escape_json(json!({"items": self.items})))
        } else {
            String::new()
        };
        if let Err(why) = output::print(&text) {
            self.add_failure("", "output", why);
        }
        if self.failures.is_empty() {
            return if self.exits_with_failure { ExitCode::FAILURE } else { ExitCode::SUCCESS };
        }
        if as_json {
            output::print_json_error(json!({"error": self.error()}));
        } else {
            self.messages().into_iter().for_each(output::print_error);
        }
        ExitCode::FAILURE
    }

    /// The messages of all failures, each once: one cause can make several skills fail.
    fn messages(&self) -> Vec<&str> {
        let mut messages: Vec<&str> = self.failures.iter().map(|failed| failed.message.as_str()).collect();
        messages.dedup();
        messages
    }

    /// The failures as one error: the code of the only cause, or `several`, and all messages.
    fn error(&self) -> Value {
        let errors: Vec<Value> = self
            .failures
            .iter()
            .map(|failed| json!({"skill": failed.skill, "code": failed.code, "message": failed.message}))
            .collect();
        let messages = self.messages();
        let code = match (self.failures.first(), messages.as_slice()) {
            (Some(first), [_]) => &first.code,
            _ => "several",
        };
        json!({"code": code, "message": messages.join("\n"), "errors": errors})
    }
}
