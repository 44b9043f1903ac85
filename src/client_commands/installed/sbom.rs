//! `skillmirror sbom`: the skills of a project as a bill of materials.

use std::process::ExitCode;

use clap::Args;
use client::install::InstallError;
use client::project::{bill_of_materials, read_lock};

use super::batch_report::BatchReport;
use crate::client_commands::{Report, report_or_error};

/// Print the skills of a project as a bill of materials
///
/// It is a CycloneDX 1.6 document of what `skills.lock` records, for scanners and inventories. It asks no registry.
#[derive(Args)]
#[command(after_help = "
    sbom                    # Every locked skill, with its digest and address
    sbom > skills.cdx.json  # Into a file
    sbom --json             # Failures as JSON, too
")]
pub struct Arguments {
    /// Print failures as JSON, too
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    let lock = match read_lock().and_then(|lock| lock.ok_or(InstallError::NoProject)) {
        Ok(lock) => lock,
        Err(why) => return BatchReport::of_failure(&why).finish(arguments.json),
    };
    let report = Report { text: String::new(), json: bill_of_materials(&lock, env!("CARGO_PKG_VERSION")) };
    report_or_error(Ok(report), true)
}
