//! Logging in with a password, and logging out of any session.

use std::sync::Arc;

use hyper::header::SET_COOKIE;
use registry::access::Credential;
use registry::api::private::Account;
use registry::local::Session;
use registry::private::Password;
use registry::time::Timestamp;
use serde::Serialize;

use super::account::account_reply;
use super::prelude::*;
use super::session_steps::{end_session, facts, require_passwords, wrong_password};
use crate::security::auth::Caller;
use crate::security::sign_in::Proof;
use crate::security::{request_origin, session_cookie};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/auth/login", Access::Anyone, log_in)
            .describe("logIn", "Begins a session.")
            .body::<LogIn>().replies::<Account>(200).sets_cookie()
            .fails(&[Code::Forbidden])
            // Otherwise the owner of many tokens could try as many more passwords.
            .counted_by_client(),
        post("/api/v1/auth/logout", Access::Credential, log_out)
            .describe(
                "logOut",
                "Ends the session and the tokens made in it. A token in use stays valid. If the session began with a provider that can sign out, too, says where.",
            ).replies::<SignedOut>(200).replies_nothing().sets_cookie(),
    ]
}

/// A handle and its password.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct LogIn {
    handle: String,
    #[cfg_attr(feature = "openapi", schemars(with = "String", extend("format" = "password")))]
    password: Password,
}

/// Also ends the session of the cookie that was sent: the browser replaces it.
async fn log_in(mut call: Call) -> Result<Response, Problem> {
    request_origin::refuse_foreign(&call.app.settings.public_url, &call.request.headers)?;
    let body: LogIn = call.json().await?;
    let app = &call.app;
    require_passwords(app)?;
    let proof = app.sign_in.check(&body.handle, body.password, call.request.client).await?;
    let proof = proof.ok_or_else(wrong_password)?;
    let replaced = call.caller.as_ref().and_then(|caller| caller.actor.session.clone());
    let replaced = replaced.zip(call.registry_caller().ok());
    let (at, lifetime) = (Arc::clone(app), app.settings.session_lifetime);
    let facts = facts(&call, None, false);
    let (key, caller) = blocking(move || {
        let Proof { handle, phc } = proof;
        let begun = at.local.begin_session(&handle, Some(&phc), &facts, Timestamp::now(), lifetime)?;
        let (key, session) = begun.ok_or_else(wrong_password)?;
        if let Some((replaced, caller)) = replaced {
            end_session(&at, &caller, &replaced)?;
        }
        let Session { id, handle, expires_at, .. } = session;
        let credential = Credential::Session { handle, id, expires_at };
        let actor = at.registry.authenticate(&credential).map_err(|_| wrong_password())?;
        Ok((key, Caller { credential, actor }))
    })
    .await?;
    let mut response = account_reply(app, &caller).await?;
    let cookie = session_cookie::set(&app.settings.public_url, &key, lifetime.as_secs())
        .ok_or_else(|| Problem::internal("the key of a session is not a valid header value"))?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

/// Where a browser signs out at the provider, too.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct SignedOut {
    sign_out_at: String,
}

async fn log_out(call: Call) -> Result<Response, Problem> {
    let mut response = no_content();
    if let Some(session) = call.caller()?.actor.session.clone() {
        let (app, caller) = (Arc::clone(&call.app), call.registry_caller()?);
        let address = blocking(move || {
            let known = app.local.session_by_id(&session, Timestamp::now())?;
            end_session(&app, &caller, &session)?;
            let of_session = known.and_then(|session| session.facts.provider);
            let provider = of_session.and_then(|name| app.settings.sign_in.provider(&name));
            let back = format!("{}/", app.settings.public_url);
            Ok(provider.and_then(|provider| provider.sign_out_address(&back, Timestamp::now())))
        })
        .await?;
        if let Some(sign_out_at) = address {
            response = json(StatusCode::OK, &SignedOut { sign_out_at })?;
        }
        if let Some(cookie) = session_cookie::clear(&call.app.settings.public_url) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
    }
    Ok(response)
}
