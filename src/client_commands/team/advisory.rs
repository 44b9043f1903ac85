//! `skillmirror advisory`: what is known to be wrong with versions of skills.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::registry_choice::RegistryChoice;
use client::team::skill_path;
use client::{ClientError, SkillReference, all_advisories};
use registry::api::public::AdvisoryRecord;
use registry::names::{Version, VersionRange};
use registry::public::{AdvisoryId, AdvisoryLevel};
use serde_json::json;

use super::cells::{day, with};
use super::report;
use crate::client_commands::Report;
use crate::client_commands::installed::advisories::CheckArguments;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{borderless, escape_line, table_text};

/// Publish advisories, and check installed skills for them
///
/// An advisory says what is wrong with versions of a skill. People who install or have such a version are warned.
#[derive(Subcommand)]
#[command(after_help = "
    advisory check       # The installed skills that have one. The exit code is 1 if any has
    advisory list hello  # The advisories of a skill, also of a removed one
    advisory publish hello ^1 --level high --title Bad --text Why  # About versions 1.x
")]
pub enum Command {
    Check(CheckArguments),
    /// List the advisories of a skill, also of a removed one
    #[command(after_help = "advisory list hello  # With those that were withdrawn")]
    List {
        /// The skill: hello, @namespace/hello or namespace--hello
        #[arg(value_name = "SKILL")]
        skill: SkillReference,
        #[command(flatten)]
        options: RegistryOptions,
    },
    Publish(PublishArguments),
    /// Withdraw an advisory: it holds for no version any more
    #[command(after_help = "advisory withdraw hello SKM-12 --reason mistake  # Everybody sees the reason")]
    Withdraw {
        /// The skill
        #[arg(value_name = "SKILL")]
        skill: SkillReference,
        /// The advisory, as `advisory list` shows it
        #[arg(value_name = "ID")]
        advisory: AdvisoryId,
        /// Why it is withdrawn
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        #[command(flatten)]
        options: RegistryOptions,
    },
}

/// Publish an advisory about versions of a skill, removed or not
///
/// For the staff of the registry, and for admins and owners of a team about its own skills.
#[derive(Args)]
#[command(override_usage = "skillmirror advisory publish [OPTIONS] <SKILL> <RANGE>...")]
#[command(after_help = "
    advisory publish hello ^1 --level high --title Bad --text Why  # About versions 1.x
")]
pub struct PublishArguments {
    /// The skill
    #[arg(value_name = "SKILL")]
    skill: SkillReference,
    /// The affected versions: one version, or ranges like '<1.2.3' and '>=2, <2.0.1'
    #[arg(value_name = "RANGE", required = true)]
    affected: Vec<VersionRange>,
    /// How bad it is: low, moderate, high or critical
    #[arg(long, value_name = "LEVEL")]
    level: AdvisoryLevel,
    /// What is wrong, in one line
    #[arg(long, value_name = "TEXT")]
    title: String,
    /// What is wrong and what to do
    #[arg(long, value_name = "TEXT")]
    text: String,
    /// The first version without it
    #[arg(long, value_name = "VERSION")]
    fixed_in: Option<Version>,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Check(arguments) => arguments.run(),
        Command::List { skill, options } => options.run(|chosen| list(skill, chosen)),
        Command::Publish(arguments) => arguments.options.run(|chosen| publish(arguments, chosen)),
        Command::Withdraw { skill, advisory, reason, options } => options.run(|chosen| {
            let path = format!("{}/advisories/{advisory}/withdraw", skill_path(&skill.coordinate));
            report(
                chosen,
                |of| of.post(&path, json!({ "reason": reason })),
                |withdrawn: &AdvisoryRecord<'_>| {
                    let reason = with(": ", withdrawn.withdrawal_reason.as_deref());
                    format!("withdrew {}{reason}\n", withdrawn.id)
                },
            )
        }),
    }
}

fn publish(arguments: &PublishArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let PublishArguments { skill, affected, level, title, text, fixed_in, .. } = arguments;
    let body = json!({
        "affected": affected, "level": level, "title": title, "text": text, "fixedIn": fixed_in,
    });
    let path = format!("{}/advisories", skill_path(&skill.coordinate));
    report(
        chosen,
        |of| of.post(&path, body),
        |published: &AdvisoryRecord<'_>| {
            let (id, name) = (published.id, SkillReference::argument(&skill.coordinate));
            format!("published {id} about {name}\n`skillmirror advisory withdraw {name} {id}` withdraws it\n")
        },
    )
}

fn list(skill: &SkillReference, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let all = all_advisories(&chosen.source()?, &skill.coordinate)?;
    let mut text = String::new();
    if all.is_empty() {
        text = format!("{} has no advisories\n", SkillReference::argument(&skill.coordinate));
    } else {
        let cells = |advisory: &AdvisoryRecord<'_>| {
            let ranges: Vec<_> = advisory.affected.iter().map(ToString::to_string).collect();
            let fixed = advisory.fixed_in.as_ref().map_or("-".to_owned(), ToString::to_string);
            let state = if advisory.withdrawn_at.is_some() { "withdrawn" } else { advisory.level.as_str() };
            let day = day(advisory.published_at);
            let title = escape_line(&advisory.title);
            [advisory.id.to_string(), state.to_owned(), day, ranges.join(" or "), fixed, title]
        };
        let heads = ["ID", "LEVEL", "PUBLISHED", "AFFECTED", "FIXED IN", "TITLE"];
        text += &table_text(borderless(heads, all.iter().map(cells)));
    }
    Ok(Report { text, json: json!({ "items": all }) })
}
