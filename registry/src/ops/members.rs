//! Adding and removing members of a namespace, and changing their roles.

use super::{CommitContext, Decision, OpError, conflict, enabled_user, require_active};
use crate::api::private::Member;
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace};
use crate::private::{MemberRole, Membership, PrivateChange};

/// A member to add, or a member's new role.
#[derive(Debug, Clone)]
pub struct SetMember {
    /// The namespace.
    pub namespace: Namespace,
    /// The member.
    pub handle: Handle,
    /// The role the member gets.
    pub role: MemberRole,
}

/// A member to remove.
#[derive(Debug, Clone)]
pub struct RemoveMember {
    /// The namespace.
    pub namespace: Namespace,
    /// The member.
    pub handle: Handle,
}

fn no_member(namespace: &Namespace, handle: &Handle) -> OpError {
    OpError::NotFound(format!("`{handle}` is not a member of the namespace `{namespace}`"))
}

/// Checks that a namespace keeps an owner whose account is enabled.
fn require_another_owner(
    catalog: Catalog<'_>,
    namespace: &Namespace,
    leaving: &Handle,
) -> Result<(), OpError> {
    let is_able = |handle: &Handle| catalog.private.user(handle).is_some_and(|user| !user.disabled);
    let members = catalog.private.members(namespace);
    let mut others = members
        .filter(|(handle, member)| *handle != leaving && member.role == MemberRole::Owner && is_able(handle));
    if others.next().is_some() {
        return Ok(());
    }
    conflict(format!(
        "the namespace `{namespace}` would have no owner left: make another member an owner first"
    ))
}

/// Adds a member.
pub fn add(context: CommitContext<'_>, input: &SetMember) -> Result<Decision<Member>, OpError> {
    let SetMember { namespace, handle, role } = input;
    super::namespace(context.catalog, namespace)?;
    context.access().manage_member(namespace, *role)?;
    if *role == MemberRole::Owner {
        context.access().appoint_owner(namespace)?;
    }
    if namespace.is_global() {
        return conflict("`global` has no members: platform admins manage it");
    }
    require_active(context.catalog, namespace)?;
    enabled_user(context.catalog, handle)?;
    if context.catalog.role(namespace, handle).is_some() {
        return conflict(format!("`{handle}` is a member of `{namespace}` already: change the role instead"));
    }
    set_membership(context, input)
}

/// Adds a member with a role, or gives a member the role.
pub(super) fn set_membership(
    context: CommitContext<'_>,
    input: &SetMember,
) -> Result<Decision<Member>, OpError> {
    let SetMember { namespace, handle, role } = input.clone();
    let user = enabled_user(context.catalog, &handle)?;
    let before = context.catalog.private.membership(&namespace, &handle);
    let created_at = before.map_or(context.at, |before| before.created_at);
    let reply = Member::new(user, Membership { role, created_at });
    let change = match before {
        Some(_) => PrivateChange::MemberRoleSet { namespace, handle, role },
        None => PrivateChange::MemberAdded { namespace, handle, role },
    };
    Ok(Decision::private(change, reply))
}

/// Changes the role of a member.
pub fn set_role(context: CommitContext<'_>, input: &SetMember) -> Result<Decision<Member>, OpError> {
    let SetMember { namespace, handle, role } = input;
    super::namespace(context.catalog, namespace)?;
    context.access().set_member_role(namespace)?;
    require_active(context.catalog, namespace)?;
    let membership = context.catalog.private.membership(namespace, handle);
    let (user, before) =
        context.catalog.private.user(handle).zip(membership).ok_or_else(|| no_member(namespace, handle))?;
    let reply = Member::new(user, Membership { role: *role, ..before });
    if before.role == *role {
        return Ok(Decision::nothing(reply));
    }
    if *role == MemberRole::Owner {
        context.access().appoint_owner(namespace)?;
    }
    if before.role == MemberRole::Owner {
        require_another_owner(context.catalog, namespace, handle)?;
    }
    let change =
        PrivateChange::MemberRoleSet { namespace: namespace.clone(), handle: handle.clone(), role: *role };
    Ok(Decision::private(change, reply))
}

/// Removes a member. Members may remove themselves, also from a namespace that is frozen or
/// archived: nobody has to stay in somebody else's.
pub fn remove(context: CommitContext<'_>, input: &RemoveMember) -> Result<Decision<()>, OpError> {
    let RemoveMember { namespace, handle } = input;
    super::namespace(context.catalog, namespace)?;
    let access = context.access();
    // The rights come first, so that outsiders do not learn who is a member.
    let role = context.catalog.role(namespace, handle);
    access.remove_member(namespace, handle, role.unwrap_or(MemberRole::Member))?;
    if context.actor.handle.as_ref() != Some(handle) {
        require_active(context.catalog, namespace)?;
    }
    if role.ok_or_else(|| no_member(namespace, handle))? == MemberRole::Owner {
        require_another_owner(context.catalog, namespace, handle)?;
    }
    let change = PrivateChange::MemberRemoved { namespace: namespace.clone(), handle: handle.clone() };
    Ok(Decision::private(change, ()))
}
