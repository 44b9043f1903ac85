//! The result of an import.

use std::path::Path;
use std::process::ExitCode;

use registry::ops::publish::PublishReply;

use crate::Failure;
use crate::output::{escape_line, narrowing_table, print, print_error};

/// Versions that already existed and are named without `--verbose`.
const MAX_NAMED: usize = 5;

/// The imported versions, and the refusals.
#[derive(Default)]
pub struct Outcome {
    new: usize,
    /// A line for each version that already existed.
    known: Vec<String>,
    warnings: Vec<String>,
    refusals: Vec<[String; 3]>,
}

impl Outcome {
    /// Adds a package that was imported, or already existed.
    pub fn accepted(&mut self, path: &Path, reply: &PublishReply) {
        let path = escape_line(path.display());
        if reply.is_new {
            self.new += 1;
        } else {
            self.known.push(format!("already existed: {} {} ({path})", reply.coordinate(), reply.version()));
        }
        let warnings =
            reply.warnings().iter().map(|finding| format!("warning: {path}: {}", escape_line(finding)));
        self.warnings.extend(warnings);
    }

    /// Adds a package that was refused.
    pub fn refused(&mut self, path: &Path, version: Option<&str>, why: &str) {
        let version = version.unwrap_or_default();
        self.refusals.push([escape_line(path.display()), escape_line(version), escape_line(why)]);
    }

    /// Prints the result, with all warnings if `is_verbose`. The exit code is 1 if a package was
    /// refused.
    pub fn report(&self, is_verbose: bool) -> Result<ExitCode, Failure> {
        let Self { new, known, warnings, refusals } = self;
        let mut text = String::new();
        let named = if is_verbose { known.len() } else { MAX_NAMED };
        for line in warnings.iter().filter(|_| is_verbose).chain(known.iter().take(named)) {
            text += &format!("{line}\n");
        }
        if let Some(more @ 1..) = known.len().checked_sub(named) {
            text += &format!("already existed: {more} more (`--verbose` lists them)\n");
        }
        if !refusals.is_empty() {
            text += &narrowing_table(["REFUSED", "VERSION", "REASON"], &["VERSION"], refusals.clone());
        }
        let (known, refused) = (known.len(), refusals.len());
        let versions = if *new == 1 { "version" } else { "versions" };
        text += &format!("imported {new} {versions}; {known} already existed; {refused} refused");
        match (warnings.len(), is_verbose) {
            (0, _) => {}
            (1, true) => text += "; 1 warning",
            (count, true) => text += &format!("; {count} warnings"),
            (1, false) => text += "; 1 warning (`--verbose` shows it)",
            (count, false) => text += &format!("; {count} warnings (`--verbose` lists them)"),
        }
        print(&format!("{text}\n"))?;
        if refused == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let packages = if refused == 1 { "package was" } else { "packages were" };
        print_error(format!("{refused} {packages} refused: the table shows which and why"));
        Ok(ExitCode::FAILURE)
    }
}
