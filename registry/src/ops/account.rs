//! People change their own accounts.

use super::{Decision, Moment, OpError, caller, check_title};
use crate::access::Actor;
use crate::catalog::Catalog;
use crate::private::PrivateChange;
use crate::public::{Person, PublicRecord};

/// Shows the caller by another name: 1 to 128 characters. Where the public
/// knows them, that is a public change.
pub fn set_display_name(
    catalog: Catalog<'_>,
    actor: &Actor,
    display_name: &str,
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let handle = caller(actor)?;
    check_title("displayName", display_name, 128)?;
    if catalog.private.user(handle).is_some_and(|user| user.display_name == display_name) {
        return Ok(Decision::nothing(()));
    }
    let (handle, display_name) = (handle.clone(), display_name.to_owned());
    let person = Person { handle: handle.clone(), display_name: display_name.clone() };
    let public = catalog.public.knows(&handle).then(|| PublicRecord::from(person));
    let private = vec![PrivateChange::DisplayNameSet { handle, display_name }];
    Ok(Decision { private, public, reply: () })
}

/// Notes that the caller has another password, which is kept elsewhere.
pub fn note_password_change(
    _: Catalog<'_>,
    actor: &Actor,
    (): (),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let handle = caller(actor)?.clone();
    Ok(Decision::private(PrivateChange::PasswordChanged { handle }, ()))
}
