//! Adding accounts, disabling them and enabling them again.

use super::{CommitContext, Decision, OpError, check_title, conflict};
use crate::names::Handle;
use crate::private::{PlatformRole, PrivateChange, User};

/// A new account.
#[derive(Debug, Clone)]
pub struct AddUser {
    /// The handle, which never changes.
    pub handle: Handle,
    /// The display name, 1 to 128 characters. Default: the handle.
    pub display_name: Option<String>,
    /// The role in the whole registry.
    pub role: PlatformRole,
}

/// Adds an account. Handles are never reused.
pub fn add(context: CommitContext<'_>, input: &AddUser) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    let handle = input.handle.clone();
    if context.catalog.private.user(&handle).is_some() {
        return conflict(format!("the handle `{handle}` is taken: choose another"));
    }
    let display_name = input.display_name.clone().unwrap_or_else(|| handle.to_string());
    check_title("displayName", &display_name, 128)?;
    Ok(Decision::private(PrivateChange::UserAdded { handle, display_name, role: input.role }, ()))
}

/// Disables an account and all its credentials. Does nothing if it is disabled.
pub fn disable(context: CommitContext<'_>, handle: &Handle) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    let user = super::user(context.catalog, handle)?;
    if user.disabled {
        return Ok(Decision::nothing(()));
    }
    if context.actor.handle.as_ref() == Some(handle) {
        return conflict("this is your own account: ask another admin to disable it");
    }
    require_another_admin(context, user)?;
    Ok(Decision::private(PrivateChange::UserDisabled { handle: handle.clone() }, ()))
}

/// Enables a disabled account. Tokens and sessions that have not ended work again. Does
/// nothing if the account is enabled.
pub fn enable(context: CommitContext<'_>, handle: &Handle) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    if !super::user(context.catalog, handle)?.disabled {
        return Ok(Decision::nothing(()));
    }
    Ok(Decision::private(PrivateChange::UserEnabled { handle: handle.clone() }, ()))
}

/// Gives an account another role in the whole registry.
pub fn set_role(
    context: CommitContext<'_>,
    handle: &Handle,
    role: PlatformRole,
) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    let user = super::user(context.catalog, handle)?;
    if user.role == role {
        return Ok(Decision::nothing(()));
    }
    require_another_admin(context, user)?;
    Ok(Decision::private(PrivateChange::PlatformRoleSet { handle: handle.clone(), role }, ()))
}

/// Checks that the registry keeps an admin without `leaving`.
fn require_another_admin(context: CommitContext<'_>, leaving: &User) -> Result<(), OpError> {
    let is_able = |user: &&User| user.role == PlatformRole::Admin && !user.disabled;
    let admins = context.catalog.private.users().filter(is_able);
    if is_able(&leaving) && admins.count() == 1 {
        return conflict(format!(
            "`{}` is the last admin: add another with `skillmirror user add HANDLE --role admin` first",
            leaving.handle
        ));
    }
    Ok(())
}
