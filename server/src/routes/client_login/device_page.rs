//! The page on which a person enters the code of a client, and decides.

use registry::private::Password;
use registry::time::Timestamp;

use super::super::prelude::*;
use super::grant;
use super::page::{Consent, ask_for_code, message, refusal};
use crate::request::body::{FormFields, form};
use crate::security::device_logins::{LoginRequest, UserCode, Verdict};
use crate::security::request_origin::require_own;
use crate::security::write_rate::Key;

/// Asks for the code. It is never taken from the address: a link must not do what a person does not
/// mean (RFC 8628, section 5.4).
pub(super) async fn show(call: Call) -> Result<Response, Problem> {
    ask_for_code(&call, None)
}

/// Takes the code, then the decision.
pub(super) async fn submit(mut call: Call) -> Result<Response, Problem> {
    match answer(&mut call).await {
        Ok(response) => Ok(response),
        Err(problem) => refusal(&call, problem),
    }
}

async fn answer(call: &mut Call) -> Result<Response, Problem> {
    require_own(&call.app.settings.public_url, &call.request.headers)?;
    let fields = form(&call.request.headers, &mut call.request.body, call.app.settings.http.json).await?;
    // Limits how many codes a client can guess.
    if call.app.code_rate.count(&Key::of(None, call.request.client)).admit().is_err() {
        let wait = std::time::Duration::from_secs(60);
        let detail = "Too many codes were entered from your address: wait a minute and try again.";
        return ask_for_code(call, Some(Problem::rate_limited(detail, wait)));
    }
    let code = fields.text("user_code")?.and_then(|text| UserCode::read(&text));
    let found = code.and_then(|code| {
        let request = call.app.device_logins.find(&code, Timestamp::now())?;
        Some((code, request))
    });
    let Some((code, request)) = found else { return ask_for_code(call, Some(no_login())) };
    match fields.text("answer")?.as_deref() {
        Some("allow") => allow(call, &fields, &code, &request).await,
        Some(_) => {
            let denied = call.app.device_logins.decide(&code, Verdict::Denied, Timestamp::now());
            if !denied {
                return ask_for_code(call, Some(no_login()));
            }
            message(call, "Login refused", "The client gets no token. You can close this page.")
        }
        None => consent(&request, &code.to_string(), "").page(call, None),
    }
}

async fn allow(
    call: &Call,
    fields: &FormFields,
    code: &UserCode,
    request: &LoginRequest,
) -> Result<Response, Problem> {
    let handle = fields.text("handle")?.unwrap_or_default();
    let password = Password::from(fields.text("password")?.unwrap_or_default());
    let LoginRequest { label, scopes, .. } = request;
    let allowed = match grant::log_in(call, &handle, password).await {
        Ok(credential) => grant::rehearse(call, &credential, label, scopes).await.map(|()| credential),
        Err(problem) => Err(problem),
    };
    let credential = match allowed {
        Ok(credential) => credential,
        Err(problem) => return consent(request, &code.to_string(), &handle).page(call, Some(problem)),
    };
    let verdict = Verdict::Allowed(credential.clone());
    if !call.app.device_logins.decide(code, verdict, Timestamp::now()) {
        return ask_for_code(call, Some(grant::give_up(call, credential, no_login()).await));
    }
    let text = format!("The client {label} gets its token within seconds. You can close this page.");
    message(call, "You are logged in", &text)
}

fn no_login() -> Problem {
    Problem::not_found("No client waits for this code: check it, or start the login in the client again.")
}

fn consent<'a>(request: &'a LoginRequest, code: &'a str, handle: &'a str) -> Consent<'a> {
    let asker = match request.client.known() {
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
