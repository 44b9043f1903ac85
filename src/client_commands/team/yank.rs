//! `skillmirror yank` and `unyank`: versions that nobody should use.

use clap::Args;
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::skill_path;
use registry::api::public::VersionRecord;
use serde_json::{Value, json};

use super::cells::with;
use super::report;
use crate::arguments::skill_argument::SkillVersion;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;

/// Yank a version, so that nobody installs it by accident
///
/// `install` refuses it, also by its exact number. Projects that have it in `skills.lock` keep it, and its
/// package can still be downloaded.
#[derive(Args)]
#[command(after_help = "
    yank hello@1.2.0                             # Nobody installs it by accident any more
    yank hello@1.2.0 --reason \"deletes files\"  # With a reason that everybody sees
    yank @tools/lint@1.0.0                       # Of a team
")]
pub struct YankArguments {
    /// The skill and the version: hello@1.2.0 or @namespace/hello@1.2.0
    #[arg(value_name = "SKILL@VERSION")]
    version: SkillVersion,
    /// Why nobody should use it. People who ask for the version see this
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Offer a yanked version again
#[derive(Args)]
#[command(after_help = "
    unyank hello@1.2.0         # Offer it again
    unyank @tools/lint@1.0.0   # Of a team
    unyank hello@1.2.0 --json  # For programs
")]
pub struct UnyankArguments {
    /// The skill and the version: hello@1.2.0 or @namespace/hello@1.2.0
    #[arg(value_name = "SKILL@VERSION")]
    version: SkillVersion,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Yanks a version.
pub fn yank(arguments: &YankArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let YankArguments { version: wanted, reason, .. } = arguments;
    report(
        chosen,
        |of| of.post(&yank_path(wanted), json!({"reason": reason})),
        |yanked: &VersionRecord<'_>| {
            let reason = with(": ", yanked.yank_reason.as_deref());
            let undo = wanted.argument();
            format!("yanked {}{reason}\n`skillmirror unyank {undo}` offers it again\n", wanted.name())
        },
    )
}

/// Offers a yanked version again.
pub fn unyank(arguments: &UnyankArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let wanted = &arguments.version;
    report(
        chosen,
        |of| of.delete::<Value>(&yank_path(wanted)),
        |_| format!("{} is offered again\n", wanted.name()),
    )
}

fn yank_path(SkillVersion { skill, version }: &SkillVersion) -> String {
    format!("{}/versions/{version}/yank", skill_path(skill))
}
