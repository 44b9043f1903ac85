//! Changes for which a credential alone is too little: somebody may have stolen it.

use std::sync::Arc;
use std::time::Duration;

use registry::access::Credential;
use registry::local::LocalStore;
use registry::names::Handle;
use registry::private::Password;
use registry::time::Timestamp;

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::client_address::ClientAddress;
use crate::security::auth::Caller;
use crate::security::sign_in::SignIn;

/// How long a sign-in with a provider is as good as the password.
const FRESH: Duration = Duration::from_secs(600);

/// Asks the caller for the password again, or for a session that began with a provider in the last ten minutes.
///
/// Errors: 400 without either, 403 for a wrong password, 429 after too many.
pub async fn require(
    sign_in: &SignIn,
    local: &Arc<LocalStore>,
    caller: &Caller,
    password: Option<Password>,
    client: ClientAddress,
) -> Result<(), Problem> {
    let Some(password) = password else {
        return match has_signed_in(local, caller).await? {
            true => Ok(()),
            false => Err(Problem::missing_field(
                "password",
                "send your password again, or sign in with your provider in a browser and make this change there \
                 within ten minutes: it needs more than a token or session",
            )),
        };
    };
    let handle = caller.actor.handle.as_ref().map_or("", Handle::as_str);
    match sign_in.check(handle, password, client).await? {
        Some(_) => Ok(()),
        None => Err(Problem::forbidden(
            "`password` is not your password: correct it, or ask an operator if you have no password.",
        )),
    }
}

/// Whether the caller has just begun this session with a provider. A token made in it is not the session.
async fn has_signed_in(local: &Arc<LocalStore>, caller: &Caller) -> Result<bool, Problem> {
    let Credential::Session { id, .. } = caller.credential.clone() else { return Ok(false) };
    let local = Arc::clone(local);
    let now = Timestamp::now();
    let session = blocking(move || Ok(local.session_by_id(&id, now)?)).await?;
    let is_fresh = |at: Timestamp| (at..at.plus(FRESH)).contains(&now);
    Ok(session.is_some_and(|session| session.facts.provider.is_some() && is_fresh(session.facts.begun_at)))
}
