//! The result of an import.

use std::path::Path;
use std::process::ExitCode;

use comfy_table::{Table, presets};

use crate::Failure;
use crate::output::{escape_line, print, print_error, table_text};

/// The numbers of imported versions, and the refusals.
#[derive(Default)]
pub struct Outcome {
    new: usize,
    known: usize,
    refusals: Vec<[String; 3]>,
}

impl Outcome {
    /// Counts a package that was imported, or known before.
    pub fn accepted(&mut self, is_new: bool) {
        if is_new { self.new += 1 } else { self.known += 1 }
    }

    /// Adds a package that was refused.
    pub fn refused(&mut self, path: &Path, version: Option<&str>, why: &str) {
        let version = version.unwrap_or_default();
        self.refusals.push([escape_line(path.display()), escape_line(version), escape_line(why)]);
    }

    /// Prints the result. The exit code is 1 if packages were refused and none was accepted.
    pub fn report(&self) -> Result<ExitCode, Failure> {
        let Self { new, known, refusals } = self;
        let mut text = String::new();
        if !refusals.is_empty() {
            let mut table = Table::new();
            table.load_style(presets::UTF8_BORDERS_ONLY);
            text = table_text(table.set_header(["REFUSED", "VERSION", "REASON"]).add_rows(refusals).clone());
        }
        let versions = if *new == 1 { "version" } else { "versions" };
        text += &format!("imported {new} {versions}; {known} already existed; {} refused\n", refusals.len());
        print(&text)?;
        if new + known == 0 && !refusals.is_empty() {
            print_error("nothing was imported: the table shows why");
            return Ok(ExitCode::FAILURE);
        }
        Ok(ExitCode::SUCCESS)
    }
}
