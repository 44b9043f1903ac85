//! `skillmirror resolve`: which version a name stands for, and where it is.

use clap::Args;
use client::resolve::resolve;
use client::{ClientError, SkillReference};
use generator::address::Document;

use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::escape_line;

/// What is asked for.
#[derive(Args)]
pub struct Arguments {
    /// hello, @namespace/hello or namespace--hello, perhaps with @VERSION or @TAG behind
    #[arg(value_name = "SKILL")]
    skill: String,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<Report, ClientError> {
    let reference: SkillReference = arguments.skill.parse()?;
    let chosen = arguments.options.choose()?;
    let resolved = resolve(&chosen.source(), &reference).map_err(|why| chosen.explain(why))?;
    let coordinate = resolved.coordinate();
    let package = Document::Package(coordinate.clone(), resolved.version.clone()).name();
    let text = format!(
        "{} {}\nsha256   {}\npackage  {}/{}\n",
        SkillReference::argument(&coordinate),
        resolved.version,
        resolved.sha256,
        chosen.address,
        escape_line(package)
    );
    Ok(Report { text, json: serde_json::to_value(&resolved).unwrap_or_default() })
}
