//! `skillmirror namespace`: namespaces and who is in them.

use std::process::ExitCode;

use clap::{ArgGroup, Args, Subcommand};
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::namespaces::{self, NamespaceFields};
use client::team::records::{MemberRecord, NamespaceRecord};
use registry::names::Namespace;
use registry::public::NamespaceStatus;

use super::cells::{day, one_line};
use super::list_page::ListPage;
use super::report;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::confirmation::Confirmation;
use crate::output::narrowing_table;

/// What to do with namespaces.
#[derive(Subcommand)]
pub enum Command {
    /// List the namespaces of a registry
    ///
    /// Needs no login, and works with static hosts and folders. Archived namespaces are not listed.
    List(ListArguments),
    /// Create a namespace for a team. You become its owner
    Create(CreateArguments),
    /// Change the name, the description, the review or the status of a namespace
    ///
    /// What you do not name stays as it is. In a frozen namespace nothing is published, and members do
    /// not change. An archived one is frozen, and lists and search leave out its skills. Owners can
    /// activate it again.
    #[command(override_usage = "skillmirror namespace set [OPTIONS] <NAMESPACE>")]
    Set(SetArguments),
    /// List the members of a namespace and their roles
    Members(MembersArguments),
}

/// Which namespaces to list.
#[derive(Args)]
pub struct ListArguments {
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A namespace to create.
#[derive(Args)]
pub struct CreateArguments {
    /// The name of the namespace in addresses
    #[arg(value_name = "NAMESPACE")]
    slug: Namespace,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    options: RegistryOptions,
}

/// The fields of a namespace that both `create` and `set` have.
#[derive(Args)]
struct Fields {
    /// The name for people [default for a new namespace: NAMESPACE]
    #[arg(long, value_name = "TEXT")]
    display_name: Option<String>,
    /// What the namespace is for
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    /// Whether versions of plain members wait for a review [default for a new namespace: false]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    review_required: Option<bool>,
}

impl Fields {
    fn with_status(&self, status: Option<NamespaceStatus>) -> NamespaceFields {
        NamespaceFields {
            display_name: self.display_name.clone(),
            description: self.description.clone(),
            review_required: self.review_required,
            status,
        }
    }
}

/// The options of which `set` needs at least one.
const CHANGES: [&str; 4] = ["display_name", "description", "review_required", "status"];

/// A namespace to change.
#[derive(Args)]
#[command(group(ArgGroup::new("changes").required(true).multiple(true).args(CHANGES)))]
pub struct SetArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    slug: Namespace,
    #[command(flatten)]
    fields: Fields,
    /// What may happen in it: active, frozen or archived
    #[arg(long, value_name = "STATUS", value_parser = status)]
    status: Option<NamespaceStatus>,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

/// Whose members to list.
#[derive(Args)]
pub struct MembersArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    slug: Namespace,
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    options: RegistryOptions,
}

fn status(text: &str) -> Result<NamespaceStatus, String> {
    match text {
        "active" => Ok(NamespaceStatus::Active),
        "frozen" => Ok(NamespaceStatus::Frozen),
        "archived" => Ok(NamespaceStatus::Archived),
        _ => Err("use active, frozen or archived".to_owned()),
    }
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::List(arguments) => arguments.options.run(|chosen| list(arguments, chosen)),
        Command::Create(arguments) => arguments.options.run(|chosen| create(arguments, chosen)),
        Command::Set(arguments) => arguments.options.run(|chosen| set(arguments, chosen)),
        Command::Members(arguments) => arguments.options.run(|chosen| members(arguments, chosen)),
    }
}

fn list(arguments: &ListArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let found = namespaces::list(&chosen.source()?, arguments.page.request())?;
    let row = |namespace: &NamespaceRecord| {
        let review = if namespace.review_required { "yes" } else { "no" };
        [
            format!("@{}", namespace.slug),
            namespace.skill_count.to_string(),
            review.to_owned(),
            one_line(&namespace.status),
            one_line(&namespace.display_name),
            one_line(&namespace.description),
        ]
    };
    let header = ["NAMESPACE", "SKILLS", "REVIEW", "STATUS", "NAME", "DESCRIPTION"];
    let text = arguments.page.text(&found.record, "there is no namespace", |all| {
        narrowing_table(header, &["DESCRIPTION", "NAME", "STATUS", "REVIEW"], all.iter().map(row))
    });
    Ok(Report { text, json: found.json })
}

fn create(arguments: &CreateArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let CreateArguments { slug, fields, .. } = arguments;
    let fields = fields.with_status(None);
    report(
        chosen,
        |of| namespaces::create(of, slug, &fields),
        |created| {
            format!(
                "created @{slug}: {}. You are its owner: `skillmirror member add {slug} HANDLE` adds people\n",
                review(created)
            )
        },
    )
}

fn set(arguments: &SetArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let SetArguments { slug, fields, status, confirmation, .. } = arguments;
    let undo = format!("`skillmirror namespace set {slug} --status active` undoes it");
    match status {
        Some(NamespaceStatus::Frozen) => {
            let after = format!("Nothing can be published in it, and its members stay as they are; {undo}.");
            confirmation.ask(&format!("freeze the namespace {slug}"), &after)?;
        }
        Some(NamespaceStatus::Archived) => {
            let after =
                format!("Nothing can be published in it, and lists and search leave out its skills; {undo}.");
            confirmation.ask(&format!("archive the namespace {slug}"), &after)?;
        }
        _ => {}
    }
    let fields = fields.with_status(*status);
    report(
        chosen,
        |of| namespaces::change(of, slug, &fields),
        |changed| {
            let undo = match status {
                Some(NamespaceStatus::Frozen | NamespaceStatus::Archived) => format!(". {undo}"),
                _ => String::new(),
            };
            format!("changed @{slug}: it is {}; {}{undo}\n", one_line(&changed.status), review(changed))
        },
    )
}

/// Whether versions wait for review, as a part of a sentence.
fn review(namespace: &NamespaceRecord) -> &'static str {
    match namespace.review_required {
        true => "versions of plain members wait for a review",
        false => "versions need no review",
    }
}

fn members(arguments: &MembersArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let MembersArguments { slug, page, .. } = arguments;
    let row = |member: &MemberRecord| {
        [
            one_line(&member.handle),
            one_line(&member.role),
            one_line(&member.display_name),
            day(&member.created_at),
        ]
    };
    report(
        chosen,
        |of| namespaces::members(of, slug, page.request()),
        |found| {
            page.text(found, &format!("@{slug} has no members"), |all| {
                narrowing_table(["HANDLE", "ROLE", "NAME", "SINCE"], &["SINCE", "NAME"], all.iter().map(row))
            })
        },
    )
}
