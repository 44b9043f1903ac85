//! `skillmirror resolve`: shows the version and package that a name resolves to.

use clap::Args;
use client::resolve::resolve;
use client::{ClientError, SkillReference};
use generator::address::Document;

use super::Report;
use super::registry_options::{ChosenRegistry, RegistryOptions};
use crate::output::escape_line;

/// What to resolve.
#[derive(Args)]
pub struct Arguments {
    /// The skill: hello, @namespace/hello or namespace--hello, optionally with @VERSION or @TAG
    #[arg(value_name = "SKILL")]
    skill: String,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments, chosen: &ChosenRegistry) -> Result<Report, ClientError> {
    let reference: SkillReference = arguments.skill.parse()?;
    let resolved = resolve(&chosen.source(), &reference)?;
    let coordinate = resolved.coordinate();
    let name = SkillReference::argument(&coordinate);
    let package = escape_line(Document::Package(coordinate, resolved.version.clone()).name());
    let text = format!(
        "{name} {}\nsha256   {}\npackage  {}/{package}\n",
        resolved.version, resolved.sha256, chosen.address
    );
    Ok(Report { text, json: serde_json::to_value(&resolved).unwrap_or_default() })
}
