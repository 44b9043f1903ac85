//! Becoming an owner of a namespace: an owner invites, the invited person accepts.

use std::time::Duration;

use super::members::{SetMember, set_membership};
use super::{CommitContext, Decision, OpError, conflict, enabled_user, require_active};
use crate::access::{Access, Actor};
use crate::api::private::Member;
use crate::names::{Handle, Namespace};
use crate::private::{Invitation, MemberRole, PrivateChange};
use crate::quotas::Quotas;

/// The lifetime of an invitation: 30 days.
const INVITATION_TTL: Duration = Duration::from_secs(30 * 86_400);

/// A person and the namespace that the person is or will be invited to own.
#[derive(Debug, Clone)]
pub struct Invite {
    /// The namespace.
    pub namespace: Namespace,
    /// The person.
    pub handle: Handle,
}

/// Invites a person to become an owner. Replaces an earlier invitation.
pub fn invite(context: CommitContext<'_>, input: &Invite) -> Result<Decision<Invitation>, OpError> {
    let Invite { namespace, handle } = input;
    super::namespace(context.catalog, namespace)?;
    context.access().set_member_role(namespace)?;
    if namespace.is_global() {
        return conflict("`global` has no members: platform admins manage it");
    }
    require_active(context.catalog, namespace)?;
    enabled_user(context.catalog, handle)?;
    if context.catalog.role(namespace, handle) == Some(MemberRole::Owner) {
        return conflict(format!("`{handle}` is an owner of `{namespace}` already"));
    }
    let invitation = Invitation {
        id: crate::public::Id(context.revision),
        namespace: namespace.clone(),
        from: context.caller()?.clone(),
        to: handle.clone(),
        created_at: context.now,
        expires_at: context.now.plus(INVITATION_TTL),
    };
    let Invitation { namespace, from, to, expires_at, .. } = invitation.clone();
    Ok(Decision::private(PrivateChange::OwnerInvited { namespace, from, to, expires_at }, invitation))
}

fn no_invitation(input: &Invite) -> OpError {
    let Invite { namespace, handle } = input;
    OpError::NotFound(format!(
        "there is no invitation of `{handle}` to own `{namespace}`: ask one of its owners for it"
    ))
}

/// An invitation to accept.
#[derive(Debug, Clone)]
pub struct AcceptInvitation {
    /// The invited person and the namespace.
    pub invite: Invite,
    /// What that person may use.
    pub quotas: Quotas,
}

/// Accepts an invitation. Only the invited person can.
pub fn accept(context: CommitContext<'_>, input: &AcceptInvitation) -> Result<Decision<Member>, OpError> {
    let AcceptInvitation { invite: input, quotas } = input;
    let Invite { namespace, handle } = input;
    super::namespace(context.catalog, namespace)?;
    let invitation = context.catalog.private.invitations.of(namespace, handle);
    let invitation = invitation.filter(|invitation| context.actor.handle.as_ref() == Some(&invitation.to));
    let invitation = invitation.ok_or_else(|| no_invitation(input))?;
    if invitation.is_expired(context.now) {
        return conflict("the invitation has expired: ask for another");
    }
    // The invitation is void if its sender has lost the right to make owners.
    let giver = context.catalog.private.user(&invitation.from).map(Actor::absent);
    if giver.is_none_or(|giver| Access::of(context.catalog, &giver).set_member_role(namespace).is_err()) {
        return conflict(format!(
            "`{}`, who sent it, is no owner of `{namespace}` any more: ask for another invitation",
            invitation.from
        ));
    }
    require_active(context.catalog, namespace)?;
    super::quota_checks::check_namespaces(context, handle, *quotas)?;
    let owner = SetMember { namespace: namespace.clone(), handle: handle.clone(), role: MemberRole::Owner };
    let mut decision = set_membership(context, &owner)?;
    decision.private.push(ended(input));
    Ok(decision)
}

/// Declines or withdraws an invitation, also in a namespace that is not active.
pub fn end(context: CommitContext<'_>, input: &Invite) -> Result<Decision<()>, OpError> {
    let Invite { namespace, handle } = input;
    super::namespace(context.catalog, namespace)?;
    let is_concerned = context.caller()? == handle || context.access().set_member_role(namespace).is_ok();
    let invitation = context.catalog.private.invitations.of(namespace, handle).filter(|_| is_concerned);
    invitation.ok_or_else(|| no_invitation(input))?;
    Ok(Decision::private(ended(input), ()))
}

fn ended(input: &Invite) -> PrivateChange {
    PrivateChange::OwnerInvitationEnded { namespace: input.namespace.clone(), handle: input.handle.clone() }
}
