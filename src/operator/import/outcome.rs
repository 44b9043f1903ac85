//! The result of an import.

use std::path::Path;
use std::process::ExitCode;

use registry::api::private::PublishReply;
use registry::names::{Coordinate, Version};
use registry::package::Finding;
use serde::Serialize;

use crate::Failure;
use crate::output::{Printer, escape_line, narrowing_table};

/// Versions that already existed and are named without `--verbose`.
const MAX_NAMED: usize = 5;

/// The imported versions, and the refusals.
#[derive(Default, Serialize)]
pub struct Outcome {
    imported: usize,
    /// Versions that already existed.
    existed: Vec<Existing>,
    warnings: Vec<Warning>,
    refused: Vec<Refusal>,
}

#[derive(Serialize)]
struct Existing {
    path: String,
    skill: Coordinate,
    version: Version,
}

#[derive(Serialize)]
struct Warning {
    /// The package, and below it the finding's own path.
    package: String,
    #[serde(flatten)]
    finding: Finding,
}

#[derive(Serialize)]
struct Refusal {
    path: String,
    version: Option<String>,
    reason: String,
}

impl Outcome {
    /// Adds a package that was imported, or already existed.
    pub fn accepted(&mut self, path: &Path, reply: &PublishReply) {
        let path = path.display().to_string();
        let warning = |finding: &Finding| Warning { package: path.clone(), finding: finding.clone() };
        self.warnings.extend(reply.warnings.iter().map(warning));
        if reply.is_new {
            self.imported += 1;
        } else {
            let (skill, version) = (reply.canonical_slug.clone(), reply.version.clone());
            self.existed.push(Existing { path, skill, version });
        }
    }

    /// Adds a package that was refused.
    pub fn refused(&mut self, path: &Path, version: Option<&str>, why: &str) {
        let version = version.map(ToOwned::to_owned);
        self.refused.push(Refusal { path: path.display().to_string(), version, reason: why.to_owned() });
    }

    /// Prints the result, with all warnings if `is_verbose`. The exit code is 1 if a package was
    /// refused.
    pub fn report(&self, is_verbose: bool, printer: Printer) -> Result<ExitCode, Failure> {
        let Self { imported, existed, warnings, refused } = self;
        let mut text = String::new();
        let named = if is_verbose { existed.len() } else { MAX_NAMED };
        for Warning { package, finding } in warnings.iter().filter(|_| is_verbose) {
            text += &format!("warning: {}: {}\n", escape_line(package), escape_line(finding));
        }
        for Existing { path, skill, version } in existed.iter().take(named) {
            text += &format!("already existed: {skill} {version} ({})\n", escape_line(path));
        }
        if let Some(more @ 1..) = existed.len().checked_sub(named) {
            text += &format!("already existed: {more} more (`--verbose` lists them)\n");
        }
        if !refused.is_empty() {
            let row = |it: &Refusal| {
                [&it.path, it.version.as_ref().unwrap_or(&String::new()), &it.reason].map(escape_line)
            };
            let rows: Vec<_> = refused.iter().map(row).collect();
            text += &narrowing_table(["REFUSED", "VERSION", "REASON"], &["VERSION"], rows);
        }
        let (existed, refused) = (existed.len(), refused.len());
        let versions = if *imported == 1 { "version" } else { "versions" };
        text += &format!("imported {imported} {versions}; {existed} already existed; {refused} refused");
        match (warnings.len(), is_verbose) {
            (0, _) => {}
            (1, true) => text += "; 1 warning",
            (count, true) => text += &format!("; {count} warnings"),
            (1, false) => text += "; 1 warning (`--verbose` shows it)",
            (count, false) => text += &format!("; {count} warnings (`--verbose` lists them)"),
        }
        printer.report(format!("{text}\n"), self)?;
        if refused == 0 {
            return Ok(ExitCode::SUCCESS);
        }
        let packages = if refused == 1 { "package was" } else { "packages were" };
        printer.failure("refused", format!("{refused} {packages} refused: the table shows which and why"));
        Ok(ExitCode::FAILURE)
    }
}
