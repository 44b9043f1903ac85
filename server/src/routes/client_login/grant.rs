//! From a password to the token of a client.
//!
//! A client's token is made in a session of its own, whose key nobody has. So it ends when the
//! password changes, like every token that was made in a session, and not when a browser logs out.

use std::sync::Arc;

use registry::access::Credential;
use registry::local::Session;
use registry::ops::tokens::{self, IssueToken};
use registry::private::record::TokenRecord;
use registry::private::{Password, Scopes, Secret};
use registry::time::Timestamp;

use super::super::prelude::*;
use super::super::session::wrong_password;
use crate::app::App;
use crate::security::auth::require_session;

/// Checks a password, and begins the session in which the client's token is made.
pub(super) async fn log_in(call: &Call, handle: &str, password: Password) -> Result<Credential, Problem> {
    let app = &call.app;
    let proof = app.sign_in.check(handle, password, call.request.client).await?;
    let proof = proof.ok_or_else(wrong_password)?;
    let (local, lifetime) = (Arc::clone(&app.local), app.settings.client_login_lifetime);
    blocking(move || {
        let begun = local.begin_session(&proof.handle, &proof.phc, Timestamp::now(), lifetime)?;
        let (_, Session { id, handle, expires_at }) = begun.ok_or_else(wrong_password)?;
        Ok(Credential::Session { handle, id, expires_at })
    })
    .await
}

/// Checks that the token could be issued now. Otherwise ends the session.
pub(super) async fn rehearse(
    call: &Call,
    credential: &Credential,
    label: &str,
    scopes: &Scopes,
) -> Result<(), Problem> {
    let (app, caller) = (Arc::clone(&call.app), caller(call, credential));
    let input = input(&app, label, scopes, &Secret::generate().map_err(Problem::internal)?);
    blocking(move || {
        let rehearsed = app.registry.dry_run(&caller, |context| tokens::issue_to_client(context, &input));
        rehearsed.map(drop).map_err(|error| abandon(&app, &caller.credential, error.into()))
    })
    .await
}

/// Issues the token. If that fails, ends the session.
pub(super) async fn issue(
    call: &Call,
    credential: &Credential,
    label: &str,
    scopes: &Scopes,
) -> Result<(Secret, TokenRecord), Problem> {
    let (app, caller) = (Arc::clone(&call.app), caller(call, credential));
    let secret = Secret::generate().map_err(Problem::internal)?;
    let input = input(&app, label, scopes, &secret);
    blocking(move || {
        let issued = require_session(&app.registry, &app.local, &caller.credential).and_then(|()| {
            Ok(app.registry.commit(&caller, |context| tokens::issue_to_client(context, &input))?)
        });
        let issued = issued.map_err(|problem| abandon(&app, &caller.credential, problem))?;
        Ok((secret, issued.reply))
    })
    .await
}

/// Ends the session of a login that does not go on.
pub(super) async fn give_up(call: &Call, credential: Credential, problem: Problem) -> Problem {
    let app = Arc::clone(&call.app);
    let ended = blocking(move || Ok(abandon(&app, &credential, problem))).await;
    ended.unwrap_or_else(|failure| failure)
}

fn abandon(app: &App, credential: &Credential, problem: Problem) -> Problem {
    if let Credential::Session { id, .. } = credential
        && let Err(error) = app.local.end_session(id)
    {
        return error.into();
    }
    problem
}

fn caller(call: &Call, credential: &Credential) -> registry::Caller {
    registry::Caller { credential: credential.clone(), request: Some(call.request.id.to_string()) }
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
