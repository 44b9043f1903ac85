//! Changes for which a credential alone is too little: somebody may have stolen it.

use registry::names::Handle;
use registry::private::Password;

use crate::problem::Problem;
use crate::request::client_address::ClientAddress;
use crate::security::auth::Caller;
use crate::security::sign_in::SignIn;

/// Asks the caller for the password again.
///
/// A sign-in of the last minutes at the provider of a company is as good, and belongs here.
///
/// Errors: 400 without a password, 403 for a wrong one, 429 after too many.
pub async fn require(
    sign_in: &SignIn,
    caller: &Caller,
    password: Option<Password>,
    client: ClientAddress,
) -> Result<(), Problem> {
    let password = password.ok_or_else(|| {
        Problem::missing_field(
            "password",
            "send your password again: this change needs more than a token or session",
        )
    })?;
    let handle = caller.actor.handle.as_ref().map_or("", Handle::as_str);
    match sign_in.check(handle, password, client).await? {
        Some(_) => Ok(()),
        None => Err(Problem::forbidden(
            "`password` is not your password: correct it, or ask an operator if you have no password.",
        )),
    }
}
