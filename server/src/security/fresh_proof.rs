//! Changes for which a credential alone is too little: somebody may have stolen it.

use std::sync::Arc;
use std::time::Duration;

use registry::access::Credential;
use registry::names::Handle;
use registry::private::Password;
use registry::time::Timestamp;

use crate::app::App;
use crate::blocking::blocking;
use crate::problem::Problem;
use crate::request::client_address::ClientAddress;
use crate::security::auth::Caller;

/// How long after its beginning a session of a browser is proof enough.
const FRESH: Duration = Duration::from_secs(600);

/// Asks the caller for the password again, or for a session of a browser that began in the last ten minutes.
///
/// Errors: 400 without either, 403 for a wrong password, or if passwords do not count here, 429 after too many.
pub async fn require(
    app: &Arc<App>,
    caller: &Caller,
    password: Option<Password>,
    client: ClientAddress,
) -> Result<(), Problem> {
    let Some(password) = password else {
        return match has_signed_in(app, caller).await? {
            true => Ok(()),
            false => Err(Problem::missing_field(
                "password",
                "send your password again, or sign out and in again in a browser and make this change there within \
                 ten minutes: it needs more than a token or session",
            )),
        };
    };
    if !app.settings.sign_in.passwords {
        return Err(Problem::forbidden(
            "Passwords do not count here: sign out and in again in a browser, and make this change there within ten \
             minutes.",
        ));
    }
    let handle = caller.actor.handle.as_ref().map_or("", Handle::as_str);
    match app.sign_in.check(handle, password, client).await? {
        Some(_) => Ok(()),
        None => Err(Problem::forbidden(
            "`password` is not your password: correct it, or make this change in a browser in which you have just \
             signed in.",
        )),
    }
}

/// Whether the caller has just begun this session. A token made in it is not the session.
async fn has_signed_in(app: &Arc<App>, caller: &Caller) -> Result<bool, Problem> {
    let Credential::Session { id, .. } = caller.credential.clone() else { return Ok(false) };
    let app = Arc::clone(app);
    let now = Timestamp::now();
    let session = blocking(move || Ok(app.local.session_by_id(&id, now)?)).await?;
    Ok(session.is_some_and(|session| {
        let begun = session.facts.begun_at;
        (begun..begun.plus(FRESH)).contains(&now)
    }))
}
