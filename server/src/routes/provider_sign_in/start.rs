//! How a sign-in begins, and where it waits.

use std::sync::Arc;

use hyper::header::{HeaderValue, LOCATION, REFRESH, SET_COOKIE};
use registry::local::{SIGN_IN_TTL, SessionKey};
use registry::names::{Digest, Handle};
use registry::time::Timestamp;
use serde::Serialize;

use super::super::client_login::page::message;
use super::super::prelude::*;
use crate::app::App;
use crate::identity::{Begun, Person, Provider};
use crate::security::session_cookie::{SIGN_IN, SentCookie};
use crate::security::write_rate::Key;

/// What a sign-in is for.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(in crate::routes) enum Purpose {
    /// A session in this browser. Then the page `to` below the public URL.
    Session { to: String },
    /// A link of an account, which its own session has asked for.
    Link { handle: Handle, session: String },
    /// The token of a client of this machine, with the fields of its page.
    BrowserClient { form: String },
    /// The token of the client with this code.
    Device { code: String },
}

impl Purpose {
    /// Whether the provider has to ask again who it is, because what follows lives longer than a session.
    fn needs_proof(&self) -> bool {
        !matches!(self, Self::Session { .. })
    }
}

/// A sign-in that waits for an answer.
#[derive(Serialize, Deserialize)]
pub(super) struct Waiting {
    pub(super) provider: String,
    /// The digest of the browser's cookie.
    pub(super) browser: Digest,
    /// When it began. No answer makes it last longer.
    pub(super) begun_at: Timestamp,
    pub(super) purpose: Purpose,
    pub(super) step: Step,
}

/// Whose answer it waits for.
#[derive(Serialize, Deserialize)]
pub(super) enum Step {
    /// The provider's.
    Provider(Begun),
    /// The person's, who chooses a handle.
    Handle(Person),
}

/// Where a browser goes to sign in, and the cookie by which it is known again.
pub(in crate::routes) struct Start {
    pub(super) address: String,
    pub(super) cookie: HeaderValue,
    pub(super) title: String,
}

/// The provider with this name.
pub(super) fn provider<'a>(app: &'a App, name: &str) -> Result<&'a Provider, Problem> {
    let found = app.settings.sign_in.provider(name);
    found.ok_or_else(|| {
        Problem::not_found("There is no such provider: the page to sign in shows all of them.")
    })
}

/// Where a provider sends a browser back.
pub(super) fn back(app: &App, provider: &str) -> String {
    format!("{}/api/v1/auth/callback/{provider}", app.settings.public_url)
}

/// A page that leads a browser to a provider. A redirect of a form would need the provider's whole way in the policy
/// of the form's page.
pub(in crate::routes) async fn lead(call: &Call, name: &str, purpose: Purpose) -> Result<Response, Problem> {
    let Start { address, cookie, title } = begin(call, name, purpose).await?;
    let text = format!("Go on to {title}");
    let mut response = message(call, "Who are you?", &text, Some(&address))?;
    let refresh = HeaderValue::try_from(format!("0; url={address}")).map_err(Problem::internal)?;
    response.headers_mut().insert(REFRESH, refresh);
    response.headers_mut().insert(SET_COOKIE, cookie);
    Ok(response)
}

/// Begins a sign-in.
pub(super) async fn begin(call: &Call, name: &str, purpose: Purpose) -> Result<Start, Problem> {
    let rate = &call.app.write_rate;
    rate.count(&Key::of(None, call.request.client)).await?.admit()?;
    let title = provider(&call.app, name)?.settings.title.clone();
    let browser = match SIGN_IN.read(&call.app.settings.public_url, &call.request.headers) {
        SentCookie::Key(key) => key,
        _ => SessionKey::generate().map_err(Problem::internal)?,
    };
    let cookie = SIGN_IN.set(&call.app.settings.public_url, &browser, SIGN_IN_TTL.as_secs());
    let cookie =
        cookie.ok_or_else(|| Problem::internal("the key of a browser is not a valid header value"))?;
    let (app, name) = (Arc::clone(&call.app), name.to_owned());
    let address = blocking(move || {
        let random = || SessionKey::generate().map(|key| key.reveal().to_owned());
        let (state, now) = (random().map_err(Problem::internal)?, Timestamp::now());
        let provider = provider(&app, &name)?;
        let is_fresh = purpose.needs_proof();
        let (address, begun) = provider.begin(&back(&app, &name), &state, is_fresh, now, random)?;
        let browser = Digest::of(browser.reveal().as_bytes());
        let waiting =
            Waiting { provider: name, browser, begun_at: now, purpose, step: Step::Provider(begun) };
        app.local.keep_sign_in(&state, &waiting, now)?;
        Ok(address)
    })
    .await?;
    Ok(Start { address, cookie, title })
}

/// Takes the sign-in that waits under a secret in this browser.
pub(super) async fn take(call: &Call, secret: Option<String>) -> Result<Waiting, Problem> {
    let browser = match SIGN_IN.read(&call.app.settings.public_url, &call.request.headers) {
        SentCookie::Key(key) => Digest::of(key.reveal().as_bytes()),
        _ => return Err(Problem::forbidden("This sign-in did not begin in this browser: begin again here.")),
    };
    let (app, now) = (Arc::clone(&call.app), Timestamp::now());
    let found: Option<Waiting> = blocking(move || match secret {
        Some(secret) => Ok(app.local.take_sign_in(&secret, now)?),
        None => Ok(None),
    })
    .await?;
    let found = found.ok_or_else(|| {
        Problem::forbidden("This sign-in has ended or took more than ten minutes: begin again.")
    })?;
    if found.browser != browser {
        return Err(Problem::forbidden("This sign-in began in another browser: begin again here."));
    }
    Ok(found)
}

/// Sends a browser to an address.
pub(in crate::routes) fn redirect(address: &str, cookie: Option<HeaderValue>) -> Result<Response, Problem> {
    let mut location = HeaderValue::try_from(address).map_err(Problem::internal)?;
    location.set_sensitive(true);
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(LOCATION, location);
    if let Some(cookie) = cookie {
        response.headers_mut().insert(SET_COOKIE, cookie);
    }
    Ok(response)
}
