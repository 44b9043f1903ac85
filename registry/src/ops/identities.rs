//! Accounts of people who sign in with an account elsewhere. The caller has checked who they are.

use super::{CommitContext, Decision, OpError, check_title, conflict};
use crate::names::Handle;
use crate::private::{Identity, PlatformRole, PrivateChange};
use crate::public::Id;

/// A person whom the registry does not know yet.
#[derive(Debug, Clone)]
pub struct SignUp {
    /// The account elsewhere.
    pub identity: Identity,
    /// The handle of the new account.
    pub handle: Handle,
    /// The display name. Default: the handle.
    pub display_name: Option<String>,
}

/// Adds an account that belongs to an identity.
pub fn sign_up(context: CommitContext<'_>, input: &SignUp) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    let SignUp { identity, handle, display_name } = input.clone();
    refuse_linked(context, &identity)?;
    if context.catalog.private.user(&handle).is_some() {
        return conflict(format!("the handle `{handle}` is taken: choose another"));
    }
    let display_name = display_name.unwrap_or_else(|| handle.to_string());
    check_title("displayName", &display_name, 128)?;
    let added = PrivateChange::UserAdded { handle: handle.clone(), display_name, role: PlatformRole::User };
    let private = vec![added, PrivateChange::IdentityLinked { identity, handle }];
    Ok(Decision { private, public: None, reply: () })
}

/// Links the caller's account to an identity.
pub fn link(context: CommitContext<'_>, identity: &Identity) -> Result<Decision<()>, OpError> {
    let handle = context.caller()?.clone();
    if context.catalog.private.identities.of(&handle).any(|link| link.identity == *identity) {
        return Ok(Decision::nothing(()));
    }
    refuse_linked(context, identity)?;
    Ok(Decision::private(PrivateChange::IdentityLinked { identity: identity.clone(), handle }, ()))
}

fn refuse_linked(context: CommitContext<'_>, identity: &Identity) -> Result<(), OpError> {
    match context.catalog.private.identities.find(identity) {
        None => Ok(()),
        Some(_) => conflict("this account is linked to another handle: sign in with it, and unlink it there"),
    }
}

/// Ends one of the caller's links.
pub fn unlink(context: CommitContext<'_>, id: Id) -> Result<Decision<()>, OpError> {
    let handle = context.caller()?;
    let link = context.catalog.private.identities.of(handle).find(|link| link.id == id);
    let link = link.ok_or_else(|| OpError::NotFound(format!("you have no link with the id {id}")))?;
    let (identity, handle) = (link.identity.clone(), handle.clone());
    Ok(Decision::private(PrivateChange::IdentityUnlinked { identity, handle }, ()))
}
