//! What became of an import.

use std::path::Path;
use std::process::ExitCode;

use comfy_table::{Table, presets};

use crate::output;

/// Counts, and the refusals with their reasons.
#[derive(Default)]
pub struct Outcome {
    new: usize,
    known: usize,
    refusals: Vec<[String; 3]>,
}

impl Outcome {
    /// A package came in, or was there.
    pub fn accepted(&mut self, is_new: bool) {
        if is_new { self.new += 1 } else { self.known += 1 }
    }

    /// A package did not come in.
    pub fn refused(&mut self, path: &Path, version: Option<&str>, why: &str) {
        self.refusals.push([
            output::escape_line(path.display()),
            output::escape_line(version.unwrap_or_default()),
            output::escape_line(why),
        ]);
    }

    /// Prints all of it; the exit code is 1 where nothing came in and
    /// something was refused.
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
            eprintln!("skillmirror: nothing could be imported: the table gives the reasons");
            return ExitCode::FAILURE;
        }
        ExitCode::SUCCESS
    }
}
