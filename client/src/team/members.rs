//! Members of a namespace, and invitations to own it.

use registry::names::{Handle, Namespace};
use registry::roles::MemberRole;
use serde_json::json;

use super::records::{Ignored, InvitationRecord, MemberRecord};
use super::{Reply, SignedIn};
use crate::ClientError;

/// Adds a member.
pub fn add(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
    role: MemberRole,
) -> Result<Reply<MemberRecord>, ClientError> {
    let body = json!({"userId": handle, "role": role});
    let added = of.post(&format!("/api/v1/namespaces/{namespace}/members"), &body);
    added.map_err(|why| advise_invitation(why, namespace, handle, role))
}

/// Gives a member another role.
pub fn set_role(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
    role: MemberRole,
) -> Result<Reply<MemberRecord>, ClientError> {
    let path = format!("/api/v1/namespaces/{namespace}/members/{handle}/role");
    let changed = of.put(&path, &json!({"role": role}));
    changed.map_err(|why| advise_invitation(why, namespace, handle, role))
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

/// Removes a member.
pub fn remove(of: &SignedIn, namespace: &Namespace, handle: &Handle) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&format!("/api/v1/namespaces/{namespace}/members/{handle}"))
}

/// Invites a person to own a namespace.
pub fn invite(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
) -> Result<Reply<InvitationRecord>, ClientError> {
    of.post(&format!("/api/v1/namespaces/{namespace}/invitations"), &json!({"userId": handle}))
}

/// Withdraws an invitation, or declines one.
pub fn end_invitation(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&format!("/api/v1/namespaces/{namespace}/invitations/{handle}"))
}

/// Accepts an invitation. The caller, `handle`, becomes an owner.
pub fn accept_invitation(
    of: &SignedIn,
    namespace: &Namespace,
    handle: &Handle,
) -> Result<Reply<MemberRecord>, ClientError> {
    of.post_nothing(&format!("/api/v1/namespaces/{namespace}/invitations/{handle}/accept"))
}

/// The caller's handle, for requests that name it.
pub fn own_handle(of: &SignedIn) -> Result<Handle, ClientError> {
    #[derive(serde::Deserialize)]
    struct Whoami {
        handle: Handle,
    }
    Ok(of.get::<Whoami>("/api/v1/whoami")?.record.handle)
}
