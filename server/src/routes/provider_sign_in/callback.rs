//! The end of a sign-in: the answer of the provider, the choice of a handle, and what the sign-in was for.

use std::sync::Arc;

use generator::address::parameter;
use registry::access::Credential;
use registry::local::SessionKey;
use registry::names::Handle;
use registry::ops::identities;
use registry::time::Timestamp;

use super::super::client_login::{browser, device_page, grant, page};
use super::super::prelude::*;
use super::super::session_steps::{end_session, facts};
use super::account::{self, Found};
use super::start::{Purpose, Step, Waiting, back, provider, redirect, take};
use crate::identity::Person;
use crate::security::session_cookie;

/// Takes the answer of a provider.
pub(super) async fn come_back(call: Call) -> Result<Response, Problem> {
    finish(&call).await.or_else(|problem| page::refusal(&call, problem))
}

async fn finish(call: &Call) -> Result<Response, Problem> {
    let parameter = |name| parameter(&call.request.query, name);
    let name = call.params.get("provider").unwrap_or_default().to_owned();
    let title = provider(&call.app, &name)?.settings.title.clone();
    let waiting = take(call, parameter("state")).await?;
    let Step::Provider(begun) = waiting.step else {
        return Err(Problem::forbidden("This sign-in waits for a handle: begin again."));
    };
    if waiting.provider != name {
        return Err(Problem::forbidden("The answer is not from the provider that was asked: begin again."));
    }
    if let Some(error) = parameter("error") {
        let code: String = error.chars().filter(char::is_ascii_graphic).take(40).collect();
        return Err(Problem::forbidden(format!("{title} did not sign you in ({code}): begin again.")));
    }
    let code = parameter("code").ok_or_else(|| Problem::missing_field("code", "begin again"))?;
    let (app, from) = (Arc::clone(&call.app), parameter("iss"));
    let person = blocking(move || {
        let back = back(&app, &name);
        Ok(provider(&app, &name)?.finish(&begun, &code, from.as_deref(), &back, Timestamp::now())?)
    })
    .await?;
    if let Purpose::Link { handle, session } = waiting.purpose {
        return link(call, waiting.provider, person, handle, session).await;
    }
    go_on(call, Waiting { step: Step::Handle(person.clone()), ..waiting }, person, None).await
}

/// Goes on with a known person, who has perhaps chosen a handle. If not, `waiting` is kept until then.
async fn go_on(
    call: &Call,
    waiting: Waiting,
    person: Person,
    chosen: Option<String>,
) -> Result<Response, Problem> {
    let (app, known, text) = (Arc::clone(&call.app), person.clone(), chosen.clone());
    match blocking(move || account::find_or_add(&app, &known, text.as_deref())).await? {
        Found::Account(handle) => enter(call, waiting, person, handle).await,
        Found::NeedsHandle(why) => {
            let (shown, handle) = (person.name.unwrap_or_default(), chosen.unwrap_or_default());
            ask_for_handle(call, waiting, &shown, &handle, &why).await
        }
    }
}

/// Links the account of a session. The session must still be the one of this browser.
async fn link(
    call: &Call,
    name: String,
    person: Person,
    handle: Handle,
    session: String,
) -> Result<Response, Problem> {
    let caller = call.caller()?;
    if caller.actor.session.as_ref() != Some(&session) || caller.actor.handle.as_ref() != Some(&handle) {
        return Err(Problem::forbidden(
            "The session that asked for this link has ended: sign in and begin again.",
        ));
    }
    let groups = person.groups.clone();
    call.commit(identities::link, person.identity).await?;
    let app = Arc::clone(&call.app);
    blocking(move || account::signed_in(&app, &name, &handle, groups)).await?;
    redirect(&format!("{}/me/#account", call.app.settings.public_url), None)
}

/// Asks for a handle. The identity waits in local data meanwhile.
async fn ask_for_handle(
    call: &Call,
    waiting: Waiting,
    shown: &str,
    handle: &str,
    why: &str,
) -> Result<Response, Problem> {
    let secret = SessionKey::generate().map_err(Problem::internal)?;
    let (app, key) = (Arc::clone(&call.app), secret.reveal().to_owned());
    blocking(move || Ok(app.local.keep_sign_in(&key, &waiting, waiting.begun_at)?)).await?;
    page::ask_for_handle(call, secret.reveal(), shown, handle, why)
}

/// Takes the handle that a person has chosen.
pub(super) async fn choose_handle(mut call: Call) -> Result<Response, Problem> {
    let chosen = chosen(&mut call).await;
    chosen.or_else(|problem| page::refusal(&call, problem))
}

async fn chosen(call: &mut Call) -> Result<Response, Problem> {
    let fields = page::own_form(call).await?;
    let waiting = take(call, fields.text("sign_in")?).await?;
    let Step::Handle(person) = &waiting.step else {
        return Err(Problem::forbidden("This sign-in waits for its provider: begin again."));
    };
    let handle = fields.text("handle")?.unwrap_or_default();
    let person = person.clone();
    go_on(call, waiting, person, Some(handle)).await
}

/// Does what the sign-in was for.
async fn enter(call: &Call, waiting: Waiting, person: Person, handle: Handle) -> Result<Response, Problem> {
    let (app, name, who) = (Arc::clone(&call.app), waiting.provider.clone(), handle.clone());
    blocking(move || account::signed_in(&app, &name, &who, person.groups)).await?;
    let provider = Some(waiting.provider);
    match waiting.purpose {
        Purpose::Session { to } => session(call, handle, provider, &to).await,
        Purpose::BrowserClient { form } => {
            let session = grant::begin(call, handle, None, provider).await?;
            browser::issue(call, &form, &session).await
        }
        Purpose::Device { code } => {
            let session = grant::begin(call, handle, None, provider).await?;
            device_page::allow_session(call, &code, session).await
        }
        Purpose::Link { .. } => Err(Problem::forbidden("This sign-in was for a link: begin again.")),
    }
}

/// Begins the session of a browser, and sends it to a page of ours.
async fn session(
    call: &Call,
    handle: Handle,
    provider: Option<String>,
    to: &str,
) -> Result<Response, Problem> {
    let app = Arc::clone(&call.app);
    let lifetime = app.settings.sign_in.session_ttl.unwrap_or(app.settings.session_lifetime);
    let facts = facts(call, provider, false);
    let replaced = call.caller.as_ref().and_then(|caller| caller.actor.session.clone());
    let replaced = replaced.zip(call.registry_caller().ok());
    let is_other = call.caller.as_ref().is_none_or(|caller| caller.actor.handle.as_ref() != Some(&handle));
    let key = blocking(move || {
        let begun = app.local.begin_session(&handle, None, &facts, Timestamp::now(), lifetime)?;
        let (key, session) = begun.ok_or_else(Problem::unauthenticated)?;
        let (id, expires_at) = (session.id, session.expires_at);
        app.registry.authenticate(&Credential::Session { handle, id, expires_at })?;
        // A session of the same person goes on until its end, with the tokens made in it.
        if let Some((replaced, caller)) = replaced.filter(|_| is_other) {
            end_session(&app, &caller, &replaced)?;
        }
        Ok(key)
    })
    .await?;
    let url = &call.app.settings.public_url;
    let cookie = session_cookie::set(url, &key, lifetime.as_secs());
    // Behind the public URL, no text leads to another site.
    let to: String = to.chars().filter(char::is_ascii_graphic).collect();
    // Nor out of the path of the public URL.
    let leaves = |part: &str| part.to_ascii_lowercase().replace("%2e", ".") == ".." || part.contains('\\');
    let to = if to.split(['/', '?', '#']).any(leaves) { String::new() } else { to };
    redirect(&format!("{url}/{}", if to.is_empty() { "me/" } else { &to }), cookie)
}
