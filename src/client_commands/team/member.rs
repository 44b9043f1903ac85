//! `skillmirror member`: who belongs to a namespace.

mod invitations;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::{Reply, SignedIn};
use registry::api::private::{Member, Whoami};
use registry::names::{Handle, Namespace};
use registry::roles::MemberRole;
use serde_json::{Value, json};

use super::{NamespaceArguments, report};
use crate::arguments::confirmation::Confirmation;
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use invitations::{InvitationsArguments, MemberArguments};

/// Add, invite and remove members of a namespace
#[derive(Subcommand)]
#[command(after_help = "
    member add tools bob         # Add a member
    member role tools bob admin  # Make the member an admin
    member leave tools           # Leave
")]
pub enum Command {
    /// Add a person to a namespace
    ///
    /// Members publish. Admins also review, and add and remove members. Owners also give roles, and change
    /// the status of the namespace. Nobody is made an owner without being asked: use `member invite`.
    #[command(after_help = "member add tools bob --role admin  # As an admin")]
    Add(AddArguments),
    /// Give a member another role
    ///
    /// Owners give roles. Members publish. Admins also review, and add and remove members. Owners also
    /// change the status of the namespace. To make somebody an owner, use `member invite`.
    #[command(after_help = "member role tools bob admin  # A member becomes an admin")]
    Role(RoleArguments),
    /// Remove a member from a namespace
    #[command(after_help = "member remove tools bob  # Bob can publish no more")]
    Remove(RemoveArguments),
    /// Leave a namespace
    #[command(after_help = "member leave tools  # You can publish no more")]
    Leave(LeaveArguments),
    /// Invite a person to own a namespace
    ///
    /// The person becomes an owner by accepting the invitation within 30 days, and may be a member
    /// already. Another invitation of the same person replaces the earlier one.
    #[command(after_help = "member invite tools bob  # Bob is asked to be an owner")]
    Invite(MemberArguments),
    /// List the invitations that you sent or got
    #[command(after_help = "member invitations  # Those that you sent or got")]
    Invitations(InvitationsArguments),
    /// Accept an invitation. You become an owner of the namespace
    #[command(after_help = "member accept tools  # You become an owner")]
    Accept(NamespaceArguments),
    /// Decline an invitation
    #[command(after_help = "member decline tools  # You do not")]
    Decline(NamespaceArguments),
    /// Take an invitation back
    #[command(after_help = "member withdraw tools bob  # Bob can accept it no more")]
    Withdraw(MemberArguments),
}

/// A person to add.
#[derive(Args)]
pub struct AddArguments {
    #[command(flatten)]
    member: Person,
    /// The role: member or admin. Owners have to accept: use `member invite`
    #[arg(long, value_name = "ROLE", default_value = "member")]
    role: MemberRole,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A member and the new role.
#[derive(Args)]
pub struct RoleArguments {
    #[command(flatten)]
    member: Person,
    /// The role: member or admin. Owners have to accept: use `member invite`
    #[arg(value_name = "ROLE")]
    role: MemberRole,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A member to remove.
#[derive(Args)]
pub struct RemoveArguments {
    #[command(flatten)]
    member: Person,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

/// The namespace to leave.
#[derive(Args)]
pub struct LeaveArguments {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    #[command(flatten)]
    confirmation: Confirmation,
    #[command(flatten)]
    options: RegistryOptions,
}

/// A person in a namespace.
#[derive(Args)]
pub struct Person {
    /// The namespace
    #[arg(value_name = "NAMESPACE")]
    namespace: Namespace,
    /// The permanent name of the person
    #[arg(value_name = "HANDLE")]
    handle: Handle,
}

/// Runs the command.
pub fn run(command: &Command) -> ExitCode {
    match command {
        Command::Add(arguments) => arguments.options.run(|chosen| add(arguments, chosen)),
        Command::Role(arguments) => arguments.options.run(|chosen| set_role(arguments, chosen)),
        Command::Remove(arguments) => arguments.options.run(|chosen| remove(arguments, chosen)),
        Command::Leave(arguments) => arguments.options.run(|chosen| leave(arguments, chosen)),
        Command::Invite(arguments) => {
            arguments.options.run(|chosen| invitations::invite(&arguments.member, chosen))
        }
        Command::Invitations(arguments) => {
            arguments.options.run(|chosen| invitations::invitations(arguments, chosen))
        }
        Command::Accept(arguments) => {
            arguments.options.run(|chosen| invitations::accept(&arguments.namespace, chosen))
        }
        Command::Decline(arguments) => {
            arguments.options.run(|chosen| invitations::decline(&arguments.namespace, chosen))
        }
        Command::Withdraw(arguments) => {
            arguments.options.run(|chosen| invitations::withdraw(&arguments.member, chosen))
        }
    }
}

fn add(arguments: &AddArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let AddArguments { member: Person { namespace, handle }, role, .. } = arguments;
    report(
        chosen,
        |of| {
            let body = json!({"userId": handle, "role": role});
            let added = of.post::<Member>(&format!("/api/v1/namespaces/{namespace}/members"), body);
            added.map_err(|why| advise_invitation(why, namespace, handle, *role))
        },
        |added| format!("added {handle} to @{namespace} with the role {}\n", added.role.as_str()),
    )
}

fn set_role(arguments: &RoleArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RoleArguments { member: Person { namespace, handle }, role, .. } = arguments;
    report(
        chosen,
        |of| {
            let path = format!("/api/v1/namespaces/{namespace}/members/{handle}/role");
            let changed = of.put::<Member>(&path, json!({"role": role}));
            changed.map_err(|why| advise_invitation(why, namespace, handle, *role))
        },
        |changed| format!("{handle} has the role {} in @{namespace} now\n", changed.role.as_str()),
    )
}

/// Only platform admins make people owners without asking them. The command for others is in the
/// message.
fn advise_invitation(
    why: ClientError,
    namespace: &Namespace,
    handle: &Handle,
    role: MemberRole,
) -> ClientError {
    match why {
        ClientError::Problem(problem) if role == MemberRole::Owner && problem.code() == "forbidden" => {
            let advice =
                format!("An owner invites them with `skillmirror member invite {namespace} {handle}`.");
            ClientError::Problem(problem.with_advice(Some(advice)))
        }
        other => other,
    }
}

fn end_membership(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
) -> Result<Reply<Value>, ClientError> {
    of.delete(&format!("/api/v1/namespaces/{namespace}/members/{handle}"))
}

/// The caller's handle, for requests that name it.
fn own_handle(of: &SignedIn) -> Result<Handle, ClientError> {
    Ok(of.get::<Whoami>("/api/v1/whoami")?.record.handle)
}

fn remove(arguments: &RemoveArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let RemoveArguments { member: Person { namespace, handle }, confirmation, .. } = arguments;
    let undo = format!("`skillmirror member add {namespace} {handle}` adds them again");
    let after = format!("They can publish there no more; {undo}.");
    confirmation.ask(&format!("remove {handle} from @{namespace}"), &after)?;
    report(
        chosen,
        |of| end_membership(of, namespace, handle),
        |_| format!("removed {handle} from @{namespace}: {undo}\n"),
    )
}

fn leave(arguments: &LeaveArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let LeaveArguments { namespace, confirmation, .. } = arguments;
    let again = "Only its admins and owners can add you again";
    confirmation.ask(&format!("leave the namespace {namespace}"), &format!("{again}."))?;
    let request = |of: &SignedIn| end_membership(of, namespace, &own_handle(of)?);
    report(chosen, request, |_| format!("you have left @{namespace}. {again}\n"))
}
