//! People join namespaces, change roles and leave.

use super::{Decision, Moment, OpError, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace};
use crate::private::{MemberRole, PrivateChange};

/// Someone and a role in a namespace.
#[derive(Debug, Clone)]
pub struct Place {
    /// Where.
    pub namespace: Namespace,
    /// Who.
    pub handle: Handle,
    /// As what.
    pub role: MemberRole,
}

fn current(catalog: Catalog<'_>, namespace: &Namespace, handle: &Handle) -> Result<MemberRole, OpError> {
    catalog.role(namespace, handle).ok_or_else(|| {
        OpError::NotFound(format!("`{handle}` is not a member of the namespace `{namespace}`"))
    })
}

/// Refuses to leave a namespace without an owner.
fn require_another_owner(catalog: Catalog<'_>, namespace: &Namespace) -> Result<(), OpError> {
    let owners = catalog.private.members(namespace).filter(|(_, member)| member.role == MemberRole::Owner);
    if owners.count() > 1 {
        return Ok(());
    }
    Err(OpError::Conflict(format!(
        "the namespace `{namespace}` would have no owner left: make another member an owner first"
    )))
}

/// Takes someone into a namespace.
pub fn add(catalog: Catalog<'_>, actor: &Actor, place: &Place, _: Moment) -> Result<Decision<()>, OpError> {
    let Place { namespace, handle, role } = place;
    let entry = super::namespace(catalog, namespace)?;
    Access::of(catalog, actor).manage_member(namespace, *role)?;
    if namespace.is_global() {
        return Err(OpError::Conflict("`global` has no members: platform admins manage it".into()));
    }
    require_active(entry)?;
    if catalog.private.user(handle).is_none_or(|user| user.disabled) {
        return Err(OpError::NotFound(format!("there is no user `{handle}`: check the handle")));
    }
    if catalog.role(namespace, handle).is_some() {
        return Err(OpError::Conflict(format!(
            "`{handle}` is a member of `{namespace}` already: change the role instead"
        )));
    }
    let change =
        PrivateChange::MemberAdded { namespace: namespace.clone(), handle: handle.clone(), role: *role };
    Ok(Decision::private(change, ()))
}

/// Gives a member another role.
pub fn set_role(
    catalog: Catalog<'_>,
    actor: &Actor,
    place: &Place,
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let Place { namespace, handle, role } = place;
    let entry = super::namespace(catalog, namespace)?;
    Access::of(catalog, actor).set_member_role(namespace)?;
    require_active(entry)?;
    let before = current(catalog, namespace, handle)?;
    if before == *role {
        return Ok(Decision::nothing(()));
    }
    if before == MemberRole::Owner {
        require_another_owner(catalog, namespace)?;
    }
    let change =
        PrivateChange::MemberRoleSet { namespace: namespace.clone(), handle: handle.clone(), role: *role };
    Ok(Decision::private(change, ()))
}

/// Lets a member go.
pub fn remove(
    catalog: Catalog<'_>,
    actor: &Actor,
    (namespace, handle): (&Namespace, &Handle),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let entry = super::namespace(catalog, namespace)?;
    let access = Access::of(catalog, actor);
    // Whether someone is a member is not for outsiders to find out.
    let role = catalog.role(namespace, handle);
    access.remove_member(namespace, handle, role.unwrap_or(MemberRole::Member))?;
    require_active(entry)?;
    if current(catalog, namespace, handle)? == MemberRole::Owner {
        require_another_owner(catalog, namespace)?;
    }
    let change = PrivateChange::MemberRemoved { namespace: namespace.clone(), handle: handle.clone() };
    Ok(Decision::private(change, ()))
}
