//! `skillmirror promote`: a team's skill for everyone.

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::team::SignedIn;
use client::team::skills;
use client::{ClientError, SkillReference};

use super::report;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::skill_argument::SkillMaybeVersion;

/// The version to copy.
#[derive(Args)]
pub struct Arguments {
    /// The skill of a team, optionally with a version: @namespace/hello or @namespace/hello@1.2.0
    /// [default: its latest version]
    #[arg(value_name = "SKILL[@VERSION]")]
    skill: SkillMaybeVersion,
    /// A note for the reviewers
    #[arg(long, value_name = "TEXT")]
    comment: Option<String>,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Runs the command.
pub fn run(arguments: &Arguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let Arguments { skill: SkillMaybeVersion { skill, version }, comment, .. } = arguments;
    let request = |of: &SignedIn| skills::promote(of, skill, version.as_ref(), comment.as_deref());
    report(chosen, request, |review| {
        let (from, to) = (SkillReference::argument(skill), SkillReference::argument(&review.coordinate()));
        format!(
            "asked for a copy of {from} {} as {to}: it waits for review {}. `skillmirror me` shows what \
             became of it\n",
            review.version, review.id
        )
    })
}
