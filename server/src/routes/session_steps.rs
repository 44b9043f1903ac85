//! What all sessions share, however they begin.

use hyper::header::USER_AGENT;
use registry::local::SessionFacts;
use registry::ops::tokens;
use registry::time::Timestamp;
use registry::with_causes;

use super::prelude::*;
use crate::app::App;

/// The longest name of a program that is kept, in characters.
const MAX_AGENT: usize = 256;

pub(super) fn wrong_password() -> Problem {
    Problem::wrong_password("Wrong handle or password: correct one of them.")
}

/// Refuses passwords if the settings say so.
pub(super) fn require_passwords(app: &App) -> Result<(), Problem> {
    match app.settings.sign_in.passwords {
        true => Ok(()),
        false => {
            Err(Problem::forbidden("This registry has no passwords: sign in with one of its providers."))
        }
    }
}

/// How a session begins with this request.
pub(super) fn facts(call: &Call, provider: Option<String>, is_of_client: bool) -> SessionFacts {
    let agent = call.request.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    SessionFacts {
        begun_at: Timestamp::default(),
        address: call.request.client.known(),
        browser: agent.map(|agent| agent.chars().take(MAX_AGENT).collect()),
        provider,
        is_of_client,
    }
}

/// Ends the caller's session and the tokens made in it.
pub(super) fn end_session(app: &App, caller: &registry::Caller, session: &str) -> Result<(), Problem> {
    app.local.end_session(session)?;
    // From here on those tokens do not work. This removes them from the list of tokens.
    let revoked = app.registry.commit(caller, |context| tokens::revoke_of_session(context, session));
    if let Err(error) = revoked {
        tracing::warn!(error = %with_causes(&error), "cannot revoke the tokens of a session that has ended");
    }
    Ok(())
}
