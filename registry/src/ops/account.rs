//! Changing an account.

use super::{CommitContext, Decision, OpError, check_title};
use crate::names::Handle;
use crate::private::PrivateChange;
use crate::public::{Person, PublicChange};

/// Changes to the caller's own account; absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct ChangeAccount {
    /// The display name: 1 to 128 characters.
    pub display_name: Option<String>,
    /// Whether the password changes. Its hash is not part of the journal.
    pub has_new_password: bool,
}

/// Changes the caller's account. A new display name is public if the caller is known in
/// public.
pub fn change(context: CommitContext<'_>, input: &ChangeAccount) -> Result<Decision<()>, OpError> {
    let handle = context.caller()?;
    let mut decision = Decision::nothing(());
    if let Some(display_name) = &input.display_name {
        check_title("displayName", display_name, 128)?;
        if context.catalog.private.user(handle).is_some_and(|user| user.display_name != *display_name) {
            let (handle, display_name) = (handle.clone(), display_name.clone());
            let person = Person { handle: handle.clone(), display_name: display_name.clone() };
            decision.public =
                context.catalog.public.knows(&handle).then(|| PublicChange::PersonRenamed(person).into());
            decision.private.push(PrivateChange::DisplayNameSet { handle, display_name });
        }
    }
    if input.has_new_password {
        decision.private.push(PrivateChange::PasswordChanged { handle: handle.clone() });
    }
    Ok(decision)
}

/// Records that an admin set the password of a user.
pub fn password_set(context: CommitContext<'_>, handle: &Handle) -> Result<Decision<()>, OpError> {
    context.access().manage_users()?;
    super::user(context.catalog, handle)?;
    Ok(Decision::private(PrivateChange::PasswordChanged { handle: handle.clone() }, ()))
}
