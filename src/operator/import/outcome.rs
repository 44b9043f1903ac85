//! The result of an import.

use std::path::Path;
use std::process::ExitCode;

use comfy_table::{Table, presets};

use crate::output;

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
        self.refusals.push([
            output::escape_line(path.display()),
            output::escape_line(version.unwrap_or_default()),
            output::escape_line(why),
        ]);
    }

    /// Prints the result. The exit code is 1 if packages were refused and none was accepted.
    pub fn report(&self) -> ExitCode {
        let Self { new, known, refusals } = self;
        if !refusals.is_empty() {
            let mut table = Table::new();
            table.load_style(presets::UTF8_BORDERS_ONLY);
            table.set_header(["REFUSED", "VERSION", "REASON"]).add_rows(refusals);
            if let Err(why) = output::print(&output::table_text(table)) {
                output::print_error(why);
                return ExitCode::FAILURE;
            }
        }
        let were = |count: usize| if count == 1 { "was" } else { "were" };
        println!(
            "imported {new} {}; {known} {} there already; {} {} refused",
            if *new == 1 { "version" } else { "versions" },
            were(*known),
            refusals.len(),
            were(refusals.len())
        );
        if new + known == 0 && !refusals.is_empty() {
            output::print_error("nothing was imported: the table shows why");
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}
