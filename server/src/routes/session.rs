//! Signing in with a password, and out again.

use std::sync::Arc;

use hyper::header::SET_COOKIE;
use registry::access::Credential;
use registry::private::Password;
use registry::time::Timestamp;
use serde::Deserialize;

use super::account;
use crate::Response;
use crate::auth::{Authentication, Caller};
use crate::problem::Problem;
use crate::reply::{blocking, no_content};
use crate::request::Request;
use crate::request_origin;
use crate::session_cookie;
use crate::sign_in::{Proof, Verdict};
use crate::state::App;

/// Who signs in.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(crate) struct LogIn {
    handle: String,
    #[cfg_attr(feature = "openapi", schemars(with = "String", extend("format" = "password")))]
    password: Password,
}

/// `POST /api/v1/auth/login`. A session in use ends: the browser forgets it.
pub async fn log_in(
    app: &Arc<App>,
    presented: Authentication,
    mut request: Request,
) -> Result<Response, Problem> {
    let url = &app.settings.public_url;
    request_origin::refuse_foreign(url, &request.headers)?;
    let body: LogIn = crate::body::json(&mut request, app.settings.http.json).await?;
    let stores = (&app.registry, &app.local);
    let proof = match app.sign_in.check(stores, &body.handle, body.password, request.client).await? {
        Verdict::Right(proof) => proof,
        Verdict::Wrong => return Err(wrong()),
    };
    let replaced = presented.actor().and_then(|actor| actor.session.clone());
    let (at, lifetime) = (Arc::clone(app), app.settings.session_lifetime);
    let (key, caller) = blocking(move || {
        let Proof { handle, phc } = proof;
        let begun = at.local.begin_session(&handle, &phc, Timestamp::now(), lifetime)?;
        let (key, session) = begun.ok_or_else(wrong)?;
        if let Some(replaced) = replaced {
            at.local.end_session(&replaced)?;
        }
        let credential = Credential::Session { handle: session.handle, id: session.id };
        let actor = at.registry.authenticate(&credential).map_err(|_| wrong())?;
        Ok((key, Caller { credential, actor }))
    })
    .await?;
    let mut response = account::me(app, &caller).await?;
    let cookie = session_cookie::set(url, &key, lifetime.as_secs())
        .ok_or_else(|| Problem::internal("a session's key is no header's value"))?;
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

fn wrong() -> Problem {
    Problem::wrong_password("Handle and password do not belong together: correct one of them.")
}

/// `POST /api/v1/auth/logout`. A token has no session to end, and stays.
pub async fn log_out(app: &Arc<App>, caller: &Caller) -> Result<Response, Problem> {
    let mut response = no_content();
    if let Some(session) = caller.actor.session.clone() {
        let local = Arc::clone(&app.local);
        blocking(move || Ok(local.end_session(&session)?)).await?;
        if let Some(cookie) = session_cookie::clear(&app.settings.public_url) {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
    }
    Ok(response)
}
