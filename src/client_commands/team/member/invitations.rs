//! Invitations to own a namespace.

use clap::Args;
use client::ClientError;
use client::registry_choice::RegistryChoice;
use client::team::SignedIn;
use registry::api::private::{InvitationRecord, Member};
use registry::names::{Handle, Namespace};
use serde_json::{Value, json};

use super::{Person, own_handle};
use crate::client_commands::Report;
use crate::client_commands::registry_options::RegistryOptions;
use crate::client_commands::team::cells::{day, person};
use crate::client_commands::team::list_page::ListPage;
use crate::client_commands::team::report;
use crate::output::narrowing_table;

/// A person and a namespace.
#[derive(Args)]
pub struct MemberArguments {
    #[command(flatten)]
    pub member: Person,
    #[command(flatten)]
    pub options: RegistryOptions,
}

/// Arguments of the list of invitations.
#[derive(Args)]
pub struct InvitationsArguments {
    #[command(flatten)]
    page: ListPage,
    #[command(flatten)]
    pub options: RegistryOptions,
}

fn invitation_path(namespace: &Namespace, handle: &Handle) -> String {
    format!("/api/v1/namespaces/{namespace}/invitations/{handle}")
}

/// Invites a person to own a namespace.
pub fn invite(member: &Person, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let Person { namespace, handle } = member;
    report(
        chosen,
        |of| {
            let path = format!("/api/v1/namespaces/{namespace}/invitations");
            of.post::<InvitationRecord>(&path, json!({"userId": handle}))
        },
        |invited| {
            format!(
                "invited {handle} to own @{namespace}, until {}: `skillmirror member accept {namespace}` accepts it\n",
                day(invited.expires_at)
            )
        },
    )
}

/// Lists the invitations that the caller sent or got.
pub fn invitations(arguments: &InvitationsArguments, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let page = &arguments.page;
    let row = |invitation: &InvitationRecord| {
        let InvitationRecord { namespace, from, to, expires_at, .. } = invitation;
        [format!("@{namespace}"), person(from), person(to), day(*expires_at)]
    };
    report(
        chosen,
        |of| of.list("/api/v1/me/invitations", page.request()),
        |found| {
            page.text(found, "there is no invitation", |all| {
                narrowing_table(["NAMESPACE", "FROM", "TO", "EXPIRES"], &["EXPIRES"], all.iter().map(row))
            })
        },
    )
}

/// Accepts an invitation of the caller.
pub fn accept(namespace: &Namespace, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let request = |of: &SignedIn| {
        let invitation = invitation_path(namespace, &own_handle(of)?);
        of.post::<Member>(&format!("{invitation}/accept"), json!({}))
    };
    report(chosen, request, |_| format!("you are an owner of @{namespace} now\n"))
}

/// Declines an invitation of the caller.
pub fn decline(namespace: &Namespace, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let request = |of: &SignedIn| of.delete::<Value>(&invitation_path(namespace, &own_handle(of)?));
    report(chosen, request, |_| format!("declined the invitation to own @{namespace}\n"))
}

/// Takes back the invitation of a person.
pub fn withdraw(member: &Person, chosen: &RegistryChoice) -> Result<Report, ClientError> {
    let Person { namespace, handle } = member;
    report(
        chosen,
        |of| of.delete::<Value>(&invitation_path(namespace, handle)),
        |_| format!("withdrew the invitation of {handle} to own @{namespace}\n"),
    )
}
