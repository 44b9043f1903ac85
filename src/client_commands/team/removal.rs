//! `skillmirror delete` and `restore`: skills as a whole.

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::team::skill_path;
use client::{ClientError, SkillReference};
use serde_json::{Value, json};

use super::report;
use crate::arguments::confirmation::Confirmation;
use crate::arguments::skill_argument::SkillName;
use crate::client_commands::registry_options::RegistryOptions;
use crate::client_commands::{Report, page_of};

/// Remove a skill with all its versions
///
/// Its name stays taken, and `skillmirror restore` brings everything back.
#[derive(Args)]
#[command(after_help = "
    delete hello               # Remove a skill with all its versions
    delete @tools/lint -y      # Without a question
    delete hello --yes --json  # For programs
")]
pub struct DeleteArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Restore a removed skill as it was
#[derive(Args)]
#[command(after_help = "
    restore hello         # As it was
    restore @tools/lint   # Of a team
    restore hello --json  # For programs
")]
pub struct RestoreArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Removes a skill with all its versions.
pub fn delete(arguments: &DeleteArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let skill = &arguments.skill.0;
    let name = SkillReference::argument(skill);
    let undo = format!("`skillmirror restore {name}` brings it back");
    let after = format!("Nobody can install it then, and its name stays taken; {undo}.");
    arguments.confirmation.ask(&format!("delete {name} with all its versions"), &after)?;
    report(chosen, |of| of.delete::<Value>(&skill_path(skill)), |_| format!("deleted {name}: {undo}\n"))
}

/// Restores a removed skill.
pub fn restore(arguments: &RestoreArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let skill = &arguments.skill.0;
    report(
        chosen,
        |of| of.post::<Value>(&format!("{}/restore", skill_path(skill)), json!({})),
        |_| format!("restored {}\npage  {}\n", SkillReference::argument(skill), page_of(skill, chosen)),
    )
}
