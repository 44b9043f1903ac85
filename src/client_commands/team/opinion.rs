//! `skillmirror star`, `unstar` and `rate`: what you think of a skill.

use clap::{Args, value_parser};
use client::registry_choice::RegistryChoice;
use client::team::skill_path;
use client::{ClientError, SkillReference};
use registry::api::private::{Rated, Starred};
use serde_json::json;

use super::report;
use crate::arguments::skill_argument::SkillName;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;

/// Star a skill
#[derive(Args)]
#[command(after_help = "
    star hello         # Star a skill
    star @tools/lint   # Of a team
    star hello --json  # For programs
")]
pub struct StarArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Take your star back
#[derive(Args)]
#[command(after_help = "
    unstar hello         # Take your star back
    unstar @tools/lint   # Of a team
    unstar hello --json  # For programs
")]
pub struct UnstarArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Rate a skill
#[derive(Args)]
#[command(after_help = "
    rate hello 5         # 1 is bad, 5 is good
    rate @tools/lint 3   # Of a team
    rate hello 5 --json  # For programs
")]
pub struct RateArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    /// Your rating, 1 to 5
    #[arg(value_name = "SCORE", value_parser = value_parser!(u8).range(1..=5))]
    score: u8,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Stars a skill.
pub fn star(arguments: &StarArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let (skill, name) = named(&arguments.skill);
    report(
        chosen,
        |of| of.post(&format!("{}/star", skill_path(skill)), json!({})),
        |now: &Starred| format!("starred {name}; it has {} now\n", stars(now.star_count)),
    )
}

/// Takes the star back.
pub fn unstar(arguments: &UnstarArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let (skill, name) = named(&arguments.skill);
    report(
        chosen,
        |of| of.delete(&format!("{}/star", skill_path(skill))),
        |now: &Starred| format!("{name} has no star of yours; it has {} now\n", stars(now.star_count)),
    )
}

/// Rates a skill.
pub fn rate(arguments: &RateArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let (skill, name) = named(&arguments.skill);
    let score = arguments.score;
    report(
        chosen,
        |of| of.post(&format!("{}/rating", skill_path(skill)), json!({"score": score})),
        |now: &Rated| {
            let average = now
                .rating_average
                .map_or(String::new(), |average| format!("; it has {average} of 5, by {}", now.rating_count));
            format!("rated {name} with {score}{average}\n")
        },
    )
}

fn named(SkillName(skill): &SkillName) -> (&registry::names::Coordinate, String) {
    (skill, SkillReference::argument(skill))
}

fn stars(count: u64) -> String {
    if count == 1 { "1 star".to_owned() } else { format!("{count} stars") }
}
