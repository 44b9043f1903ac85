//! Where the caller is signed in.

use std::sync::Arc;

use registry::api::private::SessionRecord;
use registry::api::public::FullList;
use registry::time::Timestamp;

use super::prelude::*;
use super::session_steps::end_session;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/sessions", TOKENS, list)
            .describe("listSessions", "Lists the caller's sessions: browsers, and clients whose token was made by a login.")
            .replies::<FullList<SessionRecord>>(200),
        delete("/api/v1/sessions/{session}", TOKENS, end)
            .describe("endSession", "Ends one of the caller's sessions, and the tokens made in it.")
            .replies_nothing().fails(&[Code::NotFound]),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let (app, handle) = (Arc::clone(&call.app), call.caller()?.handle()?.clone());
    let current = call.caller()?.actor.session.clone();
    let records: Vec<_> = blocking(move || {
        let sessions = app.local.sessions_of(&handle, Timestamp::now())?;
        let tokens: Vec<_> = app.registry.read(|catalog| {
            let tokens = catalog.private.tokens_of(&handle);
            tokens.map(|token| (token.session.clone(), token.issued.name.clone())).collect()
        });
        let record = |(session, used_at): (registry::local::Session, _)| {
            let made_in_it = tokens.iter().filter(|(id, _)| id.as_ref() == Some(&session.id));
            let registry::local::SessionFacts { begun_at, address, browser, provider, is_of_client } =
                session.facts;
            SessionRecord {
                is_current: current.as_ref() == Some(&session.id),
                tokens: made_in_it.map(|(_, name)| name.clone()).collect(),
                id: session.id,
                created_at: begun_at,
                expires_at: session.expires_at,
                last_used_at: used_at,
                address: address.map(|address| address.to_string()),
                browser,
                provider,
                is_of_client,
            }
        };
        Ok(sessions.into_iter().map(record).collect())
    })
    .await?;
    json(StatusCode::OK, &FullList::from(records))
}

async fn end(call: Call) -> Result<Response, Problem> {
    let (app, caller) = (Arc::clone(&call.app), call.registry_caller()?);
    let (handle, id) =
        (call.caller()?.handle()?.clone(), call.params.get("session").unwrap_or_default().to_owned());
    blocking(move || {
        let own = app.local.sessions_of(&handle, Timestamp::now())?;
        if !own.iter().any(|(session, _)| session.id == id) {
            return Err(Problem::not_found("You have no such session: list them to see which there are."));
        }
        end_session(&app, &caller, &id)
    })
    .await?;
    Ok(no_content())
}
