//! `skillmirror promote`: a team's skill for everyone.

use clap::Args;
use client::registry_choice::RegistryChoice;
use client::team::{Reply, SignedIn, skill_path};
use client::{ClientError, SkillReference};
use registry::api::private::ReviewRecord;
use registry::api::public::SkillDetail;
use registry::names::Coordinate;
use serde_json::{Value, json};

use super::report;
use crate::arguments::skill_argument::SkillMaybeVersion;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;

/// Ask for a copy of a team's skill for everyone
///
/// The copy is in the namespace `global`, after a review.
#[derive(Args)]
#[command(after_help = "
    promote @tools/lint                                  # Ask for a copy for everyone
    promote @tools/lint@1.0.0                            # Of a version
    promote @tools/lint --comment \"Asked for by many\"  # With a note for the reviewers
")]
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
    let body = json!({"version": version, "comment": comment});
    report(
        chosen,
        |of| promote(of, skill, body),
        |review| {
            let (from, to) =
                (SkillReference::argument(skill), SkillReference::argument(&review.coordinate()));
            format!(
                "asked for a copy of {from} {} as {to}: it waits for review {}. `skillmirror me` shows what \
             became of it\n",
                review.version, review.id
            )
        },
    )
}

/// Asks for the copy. The path of the request has the id of the skill.
fn promote(
    of: &SignedIn,
    skill: &Coordinate,
    body: Value,
) -> Result<Reply<ReviewRecord<'static>>, ClientError> {
    let name = SkillReference::argument(skill);
    if skill.namespace.is_global() {
        let why =
            format!("{name} is in `global` already: name a skill of a team, as in @team/{}", skill.slug);
        return Err(ClientError::Unsupported(why));
    }
    let found = of.get::<SkillDetail<'_>>(&skill_path(skill)).map_err(|why| match why {
        ClientError::Problem(problem) if problem.code() == "not_found" => ClientError::NotFound(format!(
            "no skill {name} is public at {}: search for it with `skillmirror search {}`",
            of.registry(),
            skill.slug
        )),
        other => other,
    });
    let id = found?.record.summary.id;
    let asked = of.post(&format!("/api/v1/namespaces/{}/skills/{id}/promote", skill.namespace), body);
    asked.map_err(|why| match why {
        ClientError::Problem(problem) if problem.code() == "not_found" => {
            ClientError::Problem(problem.with_advice(Some(format!("`skillmirror info {name}` lists them."))))
        }
        other => other,
    })
}
