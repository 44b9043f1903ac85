//! `skillmirror bundle`: skills of a namespace that belong together.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::skills::bundle::bundle;
use generator::address::Document;
use registry::api::public::{BundleRecord, FullList};
use registry::names::{BundleName, Namespace};
use serde_json::{Value, json};

use super::{NamespaceArguments, report};
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::{borderless, count, escape_line, one_line, table_text};

/// Set, show, list and remove bundles of a namespace
///
/// A bundle names skills that belong together, also of other namespaces. `install +team/frontend` installs them all.
#[derive(Subcommand)]
#[command(after_help = "
    bundle set +team/frontend pdf@1 @tools/lint --title 'Front end'  # Make it, or replace its skills
    bundle show +team/frontend                                       # With the versions of today
    bundle list team                                                 # All bundles of a namespace
    bundle remove +team/frontend                                     # The skills stay
")]
pub enum Command {
    /// Make a bundle, or replace what it says
    #[command(after_help = "bundle set +team/frontend pdf@1 @tools/lint --title 'Front end'  # Two skills")]
    Set(SetArguments),
    /// Remove a bundle. Its skills stay
    #[command(after_help = "bundle remove +team/frontend  # The skills stay")]
    Remove(NameArguments),
    /// Show a bundle and the versions that it stands for today
    #[command(after_help = "bundle show +team/frontend  # Each skill with its version")]
    Show(NameArguments),
    /// List the bundles of a namespace
    #[command(after_help = "bundle list team  # With their titles")]
    List(NamespaceArguments),
}

/// A bundle and its skills.
#[derive(Args)]
pub struct SetArguments {
    /// The bundle: +namespace/name
    #[arg(value_name = "BUNDLE")]
    bundle: BundleName,
    /// The skills: lint, tools/lint or @tools/lint, optionally with @1, @=1.2.0 or @TAG. Without a namespace, that of
    /// the bundle
    #[arg(value_name = "SKILL", required = true)]
    skills: Vec<String>,
    /// The title
    #[arg(long, value_name = "TEXT")]
    title: String,
    /// What the skills are for
    #[arg(long, value_name = "TEXT", default_value = "")]
    description: String,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A bundle.
#[derive(Args)]
pub struct NameArguments {
    /// The bundle: +namespace/name
    #[arg(value_name = "BUNDLE")]
    bundle: BundleName,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Set(arguments) => arguments.options.run(|chosen| set(arguments, chosen)),
        Command::Remove(arguments) => arguments.options.run(|chosen| remove(&arguments.bundle, chosen)),
        Command::Show(arguments) => arguments.options.run(|chosen| show(&arguments.bundle, chosen)),
        Command::List(arguments) => arguments.options.run(|chosen| list(&arguments.namespace, chosen)),
    }
}

fn path(name: &BundleName) -> String {
    format!("/api/v1/namespaces/{}/bundles/{}", name.namespace, name.name)
}

fn set(arguments: &SetArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let SetArguments { bundle, skills, title, description, .. } = arguments;
    let body = json!({ "title": title, "description": description, "members": skills });
    report(
        chosen,
        |of| of.put::<BundleRecord>(&path(bundle), body),
        |set| {
            let skills = count(set.members.len(), "skill");
            format!("{} has {skills} now: `skillmirror install {}`\n", set.name, set.name)
        },
    )
}

fn remove(name: &BundleName, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    report(
        chosen,
        |of| of.delete::<Value>(&path(name)),
        |_| format!("removed the bundle {name}: its skills stay\n"),
    )
}

/// A bundle with its skills, for people and programs.
pub fn show(name: &BundleName, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let found = bundle(&chosen.source()?, name)?;
    let mut text = format!("{} ({name})\n", escape_line(&found.title));
    if !found.description.is_empty() {
        text += &format!("{}\n", one_line(&found.description));
    }
    text += &format!("\n{:<10} skillmirror install {name}{}\n\n", "install", chosen.argument());
    let row = |member: &registry::api::public::BundleMember| {
        let version = member.version.as_ref().map_or("none".to_owned(), ToString::to_string);
        vec![member.required.coordinate().scoped(), member.required.requirement.to_string(), version]
    };
    text += &table_text(borderless(["SKILL", "REQUIREMENT", "VERSION"], found.members.iter().map(row)));
    Ok(Report { text, json: json!(found) })
}

fn list(namespace: &Namespace, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let source = chosen.source()?;
    let found: Option<FullList<BundleRecord>> = source.document(&Document::Bundles(namespace.clone()))?;
    let all = found.map(|list| list.items).unwrap_or_default();
    let row = |one: &BundleRecord| {
        vec![one.name.to_string(), one.members.len().to_string(), escape_line(&one.title)]
    };
    let text = match all.as_slice() {
        [] => format!("@{namespace} has no bundles: `skillmirror bundle set`\n"),
        all => table_text(borderless(["BUNDLE", "SKILLS", "TITLE"], all.iter().map(row))),
    };
    Ok(Report { text, json: json!({ "items": all }) })
}
