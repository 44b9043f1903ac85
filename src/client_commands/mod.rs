//! The client commands. They use a registry from outside, and need no settings, data folder
//! or tree of their own.

pub mod account;
pub mod agents;
#[cfg(not(feature = "operator"))]
pub mod client_only;
mod file_list;
pub mod info;
pub mod installed;
pub mod mcp;
pub mod policy;
pub mod publish;
mod read_login;
pub mod registry_options;
pub mod resolve;
pub mod search;
pub mod team;
pub mod trust;
pub mod writing;

use std::process::ExitCode;

use client::ClientError;
use client::registry_choice::RegistryChoice;
use registry::names::Coordinate;
use registry::with_causes;
use serde_json::Value;

use crate::output::Printer;

/// The result of a command, for people and for programs.
pub struct Report {
    /// Whole lines.
    pub text: String,
    /// One document.
    pub json: Value,
}

/// The address of a skill's page.
fn page_of(skill: &Coordinate, chosen: &RegistryChoice) -> String {
    format!("{}/{}/{}/", chosen.browser_address(), skill.namespace, skill.slug)
}

/// Prints the result, and returns the exit code.
fn report_or_error(result: Result<Report, ClientError>, as_json: bool) -> ExitCode {
    let printer = Printer { as_json };
    let reported = result.map_err(|why| (why.code().to_owned(), with_causes(&why))).and_then(|report| {
        printer.report(report.text, &report.json).map_err(|why| ("output".to_owned(), why))
    });
    let Err((code, message)) = reported else { return ExitCode::SUCCESS };
    printer.failure(&code, message);
    ExitCode::FAILURE
}
