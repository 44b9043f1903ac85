//! From a password to the token of a client.
//!
//! A client's token is made in a session of its own, whose key nobody has. So it ends when the
//! password changes, like every token that was made in a session, and not when a browser logs out.

use std::sync::Arc;

use registry::access::Credential;
use registry::api::private::TokenRecord;
use registry::local::Session;
use registry::names::Handle;
use registry::ops::tokens::{self, IssueToken};
use registry::private::{Password, Scopes, Secret};
use registry::time::Timestamp;

use super::super::prelude::*;
use super::super::session_steps::{facts, require_passwords, wrong_password};
use crate::app::App;
use crate::security::sign_in::Proof;

/// Checks a password, and begins the session in which the client's token is made.
pub(super) async fn log_in(call: &Call, handle: &str, password: Password) -> Result<Session, Problem> {
    require_passwords(&call.app)?;
    let proof = call.app.sign_in.check(handle, password, call.request.client).await?;
    let Proof { handle, phc } = proof.ok_or_else(wrong_password)?;
    begin(call, handle, Some(phc), None).await
}

/// Begins the session in which the token of a client is made, for a person who has shown who they are: by the password
/// with the hash `phc`, or at a provider.
pub(in super::super) async fn begin(
    call: &Call,
    handle: Handle,
    phc: Option<String>,
    provider: Option<String>,
) -> Result<Session, Problem> {
    let (local, lifetime) = (Arc::clone(&call.app.local), call.app.settings.client_login_lifetime);
    let facts = facts(call, provider, true);
    blocking(move || {
        let begun = local.begin_session(&handle, phc.as_deref(), &facts, Timestamp::now(), lifetime)?;
        let (_, session) = begun.ok_or_else(wrong_password)?;
        Ok(session)
    })
    .await
}

/// The session that [`log_in`] began, perhaps on another server.
///
/// Errors: 401 if the session has ended, for example because the password was changed.
pub(super) async fn session(call: &Call, id: String) -> Result<Session, Problem> {
    let local = Arc::clone(&call.app.local);
    blocking(move || local.session_by_id(&id, Timestamp::now())?.ok_or_else(Problem::invalid_token)).await
}

/// Checks that the token could be issued now. Otherwise ends the session.
pub(super) async fn rehearse(
    call: &Call,
    session: &Session,
    label: &str,
    scopes: &Scopes,
) -> Result<(), Problem> {
    let (app, session) = (Arc::clone(&call.app), session.clone());
    let caller = caller(call, &session);
    let input = input(&app, label, scopes, &Secret::generate().map_err(Problem::internal)?);
    blocking(move || {
        let rehearsed = app.registry.dry_run(&caller, |context| tokens::issue_to_client(context, &input));
        rehearsed.map(drop).map_err(|error| abandon(&app, &session, error.into()))
    })
    .await
}

/// Issues the token. If that fails, ends the session.
pub(super) async fn issue(
    call: &Call,
    session: &Session,
    label: &str,
    scopes: &Scopes,
) -> Result<(Secret, TokenRecord), Problem> {
    let (app, session) = (Arc::clone(&call.app), session.clone());
    let caller = caller(call, &session);
    let secret = Secret::generate().map_err(Problem::internal)?;
    let input = input(&app, label, scopes, &secret);
    blocking(move || {
        let issued = app.require_valid(&caller.credential).and_then(|()| {
            Ok(app.registry.commit(&caller, |context| tokens::issue_to_client(context, &input))?)
        });
        let issued = issued.map_err(|problem| abandon(&app, &session, problem))?;
        Ok((secret, issued.reply))
    })
    .await
}

/// Ends the session of a login that does not go on.
pub(super) async fn give_up(call: &Call, session: &Session, problem: Problem) -> Problem {
    let (app, session) = (Arc::clone(&call.app), session.clone());
    let ended = blocking(move || Ok(abandon(&app, &session, problem))).await;
    ended.unwrap_or_else(|failure| failure)
}

fn abandon(app: &App, session: &Session, problem: Problem) -> Problem {
    match app.local.end_session(&session.id) {
        Ok(()) => problem,
        Err(error) => error.into(),
    }
}

fn caller(call: &Call, session: &Session) -> registry::Caller {
    let Session { id, handle, expires_at, .. } = session.clone();
    let credential = Credential::Session { handle, id, expires_at };
    registry::Caller { credential, request: Some(call.request.id.to_string()) }
}

fn input(app: &App, label: &str, scopes: &Scopes, secret: &Secret) -> IssueToken {
    IssueToken {
        handle: None,
        name: label.to_owned(),
        scopes: Some(scopes.clone()),
        // That of the session.
        expires_at: None,
        digest: secret.digest(),
        prefix: secret.prefix(),
        quotas: app.settings.quotas,
    }
}
