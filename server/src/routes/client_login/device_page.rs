//! The page on which a person enters the code of a client, and decides.

use std::sync::Arc;

use registry::local::{DeviceRequest, DeviceVerdict, Session, UserCode};
use registry::private::Password;
use registry::time::Timestamp;

use super::super::prelude::*;
use super::super::provider_sign_in::start::{Purpose, lead};
use super::grant;
use super::page::{Consent, PROVIDER, ask_for_code, message, own_form, refusal};
use crate::request::body::FormFields;
use crate::security::write_rate::Key;

/// Asks for the code. It is never taken from the address: a link must not do what a person does not
/// mean (RFC 8628, section 5.4).
pub(super) async fn show(call: Call) -> Result<Response, Problem> {
    ask_for_code(&call, None)
}

/// Takes the code, then the decision.
pub(super) async fn submit(mut call: Call) -> Result<Response, Problem> {
    let answer = answer(&mut call).await;
    answer.or_else(|problem| refusal(&call, problem))
}

async fn answer(call: &mut Call) -> Result<Response, Problem> {
    let fields = own_form(call).await?;
    // Limits how many codes a client can guess.
    if call.app.code_rate.count(&Key::of(None, call.request.client)).await?.admit().is_err() {
        let wait = std::time::Duration::from_secs(60);
        let detail = "Too many codes were entered from your address: wait a minute and try again.";
        return ask_for_code(call, Some(Problem::rate_limited(detail, wait)));
    }
    let code = fields.text("user_code")?.and_then(|text| UserCode::read(&text));
    let Some((code, request)) = find(call, code).await? else {
        return ask_for_code(call, Some(no_login()));
    };
    match fields.text("answer")?.as_deref() {
        Some("allow") => allow(call, &fields, &code, &request).await,
        Some(other) if other.starts_with(PROVIDER) => {
            let code = code.to_string();
            lead(call, &other[PROVIDER.len()..], Purpose::Device { code }).await
        }
        Some(_) => {
            if !decide(call, &code, DeviceVerdict::Denied).await? {
                return ask_for_code(call, Some(no_login()));
            }
            message(call, "Login refused", "The client gets no token. You can close this page.", None)
        }
        None => consent(&request, &code.to_string(), "").page(call, None),
    }
}

/// The login that waits under the code that a person has entered.
async fn find(call: &Call, code: Option<UserCode>) -> Result<Option<(UserCode, DeviceRequest)>, Problem> {
    let Some(code) = code else { return Ok(None) };
    let local = Arc::clone(&call.app.local);
    blocking(move || {
        let request = local.waiting_device_login(&code, Timestamp::now())?;
        Ok(request.map(|request| (code, request)))
    })
    .await
}

/// Returns false if no login waits under the code any more.
async fn decide(call: &Call, code: &UserCode, verdict: DeviceVerdict) -> Result<bool, Problem> {
    let (local, code) = (Arc::clone(&call.app.local), code.clone());
    blocking(move || Ok(local.decide_device_login(&code, &verdict, Timestamp::now())?)).await
}

async fn allow(
    call: &Call,
    fields: &FormFields,
    code: &UserCode,
    request: &DeviceRequest,
) -> Result<Response, Problem> {
    let handle = fields.text("handle")?.unwrap_or_default();
    let password = Password::from(fields.text("password")?.unwrap_or_default());
    let allowed = match grant::log_in(call, &handle, password).await {
        Ok(session) => rehearsed(call, request, session).await,
        Err(problem) => Err(problem),
    };
    match allowed {
        Ok(session) => grant_to(call, code, request, session).await,
        Err(problem) => consent(request, &code.to_string(), &handle).page(call, Some(problem)),
    }
}

async fn rehearsed(call: &Call, request: &DeviceRequest, session: Session) -> Result<Session, Problem> {
    grant::rehearse(call, &session, &request.label, &request.scopes).await.map(|()| session)
}

/// Lets the client with this code have a token, for a person who has signed in with a provider.
pub(in super::super) async fn allow_session(
    call: &Call,
    code: &str,
    session: Session,
) -> Result<Response, Problem> {
    match find(call, UserCode::read(code)).await? {
        Some((code, request)) => {
            let session = rehearsed(call, &request, session).await?;
            grant_to(call, &code, &request, session).await
        }
        None => Err(grant::give_up(call, &session, no_login()).await),
    }
}

async fn grant_to(
    call: &Call,
    code: &UserCode,
    request: &DeviceRequest,
    session: Session,
) -> Result<Response, Problem> {
    let label = &request.label;
    let decided = decide(call, code, DeviceVerdict::Allowed(session.id.clone())).await;
    if let Err(problem) = decided.and_then(|waits| if waits { Ok(()) } else { Err(no_login()) }) {
        return ask_for_code(call, Some(grant::give_up(call, &session, problem).await));
    }
    let text = format!("The client {label} gets its token within seconds. You can close this page.");
    message(call, "You are logged in", &text, None)
}

fn no_login() -> Problem {
    Problem::not_found("No client waits for this code: check it, or start the login in the client again.")
}

fn consent<'a>(request: &'a DeviceRequest, code: &'a str, handle: &'a str) -> Consent<'a> {
    let asker = match request.client {
        Some(address) => format!("a program at the address {address}"),
        None => "a program at an unknown address".to_owned(),
    };
    Consent {
        action: "/cli/device",
        label: &request.label,
        asker,
        code: Some(code.to_owned()),
        scopes: &request.scopes,
        hidden: vec![("user_code", code)],
        target: None,
        handle,
    }
}
