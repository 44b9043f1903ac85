//! `skillmirror resolve`: shows the version and package that a name resolves to.

use std::process::ExitCode;

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::skills::resolve::resolve;
use client::team::waiting::explain_waiting;
use client::{ClientError, SkillReference};
use generator::address::Document;

use super::Report;
use super::registry_options::SkillArguments;
use crate::output::escape_line;

/// Show which version a name resolves to
#[derive(Args)]
#[command(after_help = "
    resolve hello  # The version that people get now, its package and sha256
    resolve @tools/lint@stable                                  # The version that a tag points to
    resolve hello --json --registry https://skills.example.org  # For programs, at another registry
")]
pub struct Arguments {
    #[command(flatten)]
    skill: SkillArguments,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> ExitCode {
    arguments.skill.run(report)
}

fn report(reference: &SkillReference, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let source = chosen.source()?;
    let resolved = resolve(&source, reference).map_err(|why| explain_waiting(chosen, reference, why))?;
    let coordinate = resolved.coordinate();
    let name = SkillReference::argument(&coordinate);
    let package = escape_line(Document::Package(coordinate, resolved.version.clone().into_owned()).name());
    let text = format!(
        "{name} {}\nsha256   {}\npackage  {}/{package}\n",
        resolved.version, resolved.sha256, chosen.address
    );
    Ok(Report { text, json: serde_json::to_value(&resolved).unwrap_or_default() })
}
