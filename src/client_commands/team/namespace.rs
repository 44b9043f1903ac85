//! `skillmirror namespace`: namespaces and who is in them.

use std::process::ExitCode;

use clap::{ArgGroup, Args, Subcommand};
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::list_namespaces;
use registry::api::private::Member;
use registry::api::public::NamespaceRecord;
use registry::names::{Handle, Namespace};
use registry::public::NamespaceStatus;
use serde_json::{Value, json};

use super::cells::{day, one_line};
use super::list_page::ListPage;
use super::report;
use crate::arguments::confirmation::Confirmation;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::output::narrowing_table;

/// List, create and change namespaces
#[derive(Subcommand)]
#[command(after_help = "
    namespace create tools --review-required  # Create a namespace whose versions are reviewed
    namespace members tools                   # Who is in it
    namespace list                            # All namespaces of the registry
")]
pub enum Command {
    /// List the namespaces of a registry
    ///
    /// Needs no login, and works with static hosts and folders. Archived namespaces are not listed.
    #[command(after_help = "namespace list  # All namespaces")]
    List(ListArguments),
    /// Create a namespace for a team. You become its owner
    #[command(after_help = "
    namespace create tools --display-name \"Tools team\"  # A team
    namespace create acme --private --owner ann          # Only its members know that it exists
")]
    Create(CreateArguments),
    /// Change the name, the description, the review or the status of a namespace
    ///
    /// What you do not name stays as it is. In a frozen namespace nothing is published, and members do
    /// not change. An archived one is frozen, and lists and search leave out its skills. Owners can
    /// activate it again.
    #[command(override_usage = "skillmirror namespace set [OPTIONS] <NAMESPACE>")]
    #[command(after_help = "namespace set tools --status frozen  # Nothing is published any more")]
    Set(SetArguments),
    /// List the members of a namespace and their roles
    #[command(after_help = "namespace members tools  # Everyone and their role")]
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
    /// Make a registry of its own that only its members see, below /-/NAMESPACE. Platform admins can
    #[arg(long)]
    private: bool,
    /// The first owner of a private namespace [default: you]
    #[arg(long, value_name = "HANDLE", requires = "private")]
    owner: Option<Handle>,
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
    /// The body of a request. Absent fields keep their values, or have their defaults.
    fn body(&self, slug: Option<&Namespace>, status: Option<NamespaceStatus>) -> Value {
        json!({
            "slug": slug, "displayName": self.display_name, "description": self.description,
            "reviewRequired": self.review_required, "status": status,
        })
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
    #[arg(long, value_name = "STATUS")]
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
    let found = list_namespaces(&chosen.source()?, arguments.page.request())?;
    let row = |NamespaceRecord { state: namespace, skill_count, .. }: &NamespaceRecord<'_>| {
        let review = if namespace.review_required { "yes" } else { "no" };
        [
            format!("@{}", namespace.slug),
            skill_count.to_string(),
            review.to_owned(),
            namespace.status.as_str().to_owned(),
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
    let CreateArguments { slug, private, owner, fields, .. } = arguments;
    let mut body = fields.body(Some(slug), None);
    if *private {
        body["private"] = true.into();
        body["owner"] = json!(owner);
        let place = format!("{}/-/{slug}", chosen.address);
        return report(
            chosen,
            |of| of.post("/api/v1/namespaces", body),
            |created: &NamespaceRecord<'_>| {
                format!(
                    "created the private namespace @{slug}: {}. Its address is {place}\n",
                    review(created)
                )
            },
        );
    }
    report(
        chosen,
        |of| of.post("/api/v1/namespaces", body),
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
    report(
        chosen,
        |of| of.put(&format!("/api/v1/namespaces/{slug}"), fields.body(None, *status)),
        |changed: &NamespaceRecord<'_>| {
            let undo = match status {
                Some(NamespaceStatus::Frozen | NamespaceStatus::Archived) => format!(". {undo}"),
                _ => String::new(),
            };
            format!("changed @{slug}: it is {}; {}{undo}\n", changed.state.status.as_str(), review(changed))
        },
    )
}

/// Whether versions wait for review, as a part of a sentence.
fn review(namespace: &NamespaceRecord<'_>) -> &'static str {
    match namespace.state.review_required {
        true => "versions of plain members wait for a review",
        false => "versions need no review",
    }
}

fn members(arguments: &MembersArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let MembersArguments { slug, page, .. } = arguments;
    let row = |member: &Member| {
        [
            member.handle.to_string(),
            member.role.as_str().to_owned(),
            one_line(&member.display_name),
            day(member.created_at),
        ]
    };
    report(
        chosen,
        |of| of.list(&format!("/api/v1/namespaces/{slug}/members"), page.request()),
        |found| {
            page.text(found, &format!("@{slug} has no members"), |all| {
                narrowing_table(["HANDLE", "ROLE", "NAME", "SINCE"], &["SINCE", "NAME"], all.iter().map(row))
            })
        },
    )
}
