//! `skillmirror tag`: names for versions.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::registry_choice::RegistryChoice;
use client::team::skill_path;
use client::{ClientError, SkillReference};
use registry::api::public::{FullList, TagRecord};
use registry::names::{Coordinate, TagName};
use serde_json::{Value, json};

use super::cells::{day, person};
use super::{SkillArguments, report};
use crate::arguments::skill_argument::{SkillName, SkillVersion};
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::narrowing_table;

/// Set, remove and list the tags of a skill
#[derive(Subcommand)]
#[command(after_help = "
    tag set hello@1.2.0 stable  # Point `stable` to a version
    tag list hello              # All tags
    tag remove hello stable     # Remove one
")]
pub enum Command {
    /// Point a tag to a version. The tag is made if it does not exist
    #[command(after_help = "tag set hello@1.2.0 stable  # Point `stable` to a version")]
    Set(SetArguments),
    /// Remove a tag
    #[command(after_help = "tag remove hello stable  # Remove `stable`")]
    Remove(RemoveArguments),
    /// List the tags of a skill
    #[command(after_help = "tag list hello  # All tags of a skill")]
    List(SkillArguments),
}

/// A tag and its version.
#[derive(Args)]
pub struct SetArguments {
    /// The skill and the version: hello@1.2.0 or @namespace/hello@1.2.0
    #[arg(value_name = "SKILL@VERSION")]
    version: SkillVersion,
    /// The tag
    #[arg(value_name = "TAG")]
    tag: TagName,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A tag to remove.
#[derive(Args)]
pub struct RemoveArguments {
    /// The skill: hello, @namespace/hello or namespace--hello
    #[arg(value_name = "SKILL")]
    skill: SkillName,
    /// The tag
    #[arg(value_name = "TAG")]
    tag: TagName,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Set(arguments) => arguments.options.run(|chosen| set(arguments, chosen)),
        Command::Remove(arguments) => arguments.options.run(|chosen| remove(arguments, chosen)),
        Command::List(arguments) => arguments.options.run(|chosen| list(&arguments.skill, chosen)),
    }
}

fn tag_path(skill: &Coordinate, tag: &TagName) -> String {
    format!("{}/tags/{tag}", skill_path(skill))
}

fn set(arguments: &SetArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let SetArguments { version: SkillVersion { skill, version }, tag, .. } = arguments;
    report(
        chosen,
        |of| of.put(&tag_path(skill, tag), json!({"version": version})),
        |set: &TagRecord| {
            format!("{}@{} is {} now\n", SkillReference::argument(skill), set.name, set.version)
        },
    )
}

fn remove(arguments: &RemoveArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RemoveArguments { skill: SkillName(skill), tag, .. } = arguments;
    let name = SkillReference::argument(skill);
    report(
        chosen,
        |of| of.delete::<Value>(&tag_path(skill, tag)),
        |_| {
            format!(
                "removed the tag `{tag}` of {name}: `skillmirror tag set {name}@VERSION {tag}` sets it again\n"
            )
        },
    )
}

fn list(SkillName(skill): &SkillName, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let row = |tag: &TagRecord| {
        let by = tag.updated_by.as_ref().map_or("-".to_owned(), person);
        [tag.name.to_string(), tag.version.to_string(), day(tag.updated_at), by]
    };
    report(
        chosen,
        |of| of.get(&format!("{}/tags", skill_path(skill))),
        |found: &FullList<TagRecord>| match found.items.as_slice() {
            [] => format!("{} has no tags\n", SkillReference::argument(skill)),
            all => narrowing_table(["TAG", "VERSION", "SET", "BY"], &["BY", "SET"], all.iter().map(row)),
        },
    )
}
