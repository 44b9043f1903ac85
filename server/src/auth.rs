//! Who calls: from headers to an actor.

use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use registry::Registry;
use registry::access::{Actor, Credential, Refused};
use registry::local::SessionKey;
use registry::names::{Digest, Handle};
use registry::public::Id;
use registry::time::Timestamp;

use crate::problem::Problem;
use crate::reply::blocking;
use crate::request::Request;
use crate::session_cookie::{self, SentCookie};
use crate::state::App;

/// Who sent a request.
#[derive(Clone)]
pub struct Caller {
    /// What was presented, for the commit, which looks at it again.
    pub credential: Credential,
    /// Who it is now.
    pub actor: Actor,
}

/// What a request has for a credential.
pub enum Authentication {
    /// Nothing.
    Nothing,
    /// A valid one.
    Valid(Caller),
    /// A cookie that is none. A browser sends it along without being asked, so
    /// it is an error only where a credential is needed.
    BadCookie(Problem),
}

impl Authentication {
    /// Who sent it; the error is 401 where that is not known.
    pub fn caller(self) -> Result<Caller, Problem> {
        match self {
            Self::Nothing => Err(Problem::unauthenticated()),
            Self::Valid(caller) => Ok(caller),
            Self::BadCookie(problem) => Err(problem),
        }
    }

    /// Who sent it, where that is known.
    pub fn actor(&self) -> Option<&Actor> {
        match self {
            Self::Valid(caller) => Some(&caller.actor),
            Self::Nothing | Self::BadCookie(_) => None,
        }
    }
}

/// The bearer token of a request (RFC 6750, section 2.1), by its digest.
fn bearer(headers: &HeaderMap) -> Result<Option<Credential>, Problem> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| Problem::invalid_token())?;
    let token = match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => return Err(Problem::invalid_token()),
    };
    Ok(Some(Credential::Token(Digest::of(token.as_bytes()))))
}

/// Who sent a request: by its token, else by its cookie. A token that was
/// presented must be valid, also where none is needed.
pub async fn presented(app: &Arc<App>, headers: &HeaderMap) -> Result<Authentication, Problem> {
    if let Some(credential) = bearer(headers)? {
        return by_token(app, credential).await.map(Authentication::Valid);
    }
    Ok(match session_cookie::read(&app.settings.public_url, headers) {
        SentCookie::None => Authentication::Nothing,
        SentCookie::Nonsense => Authentication::BadCookie(Problem::invalid_token()),
        SentCookie::Key(key) => match by_session(app, key).await {
            Ok(caller) => Authentication::Valid(caller),
            Err(problem) => Authentication::BadCookie(problem),
        },
    })
}

async fn by_token(app: &Arc<App>, credential: Credential) -> Result<Caller, Problem> {
    let (registry, shown) = (Arc::clone(&app.registry), credential.clone());
    // Where a write is being applied, this waits for that.
    let found = blocking(move || match registry.authenticate(&shown) {
        // Another process may have issued it a moment ago. Anyone can send
        // nonsense, so this does not wait for its turn among writers.
        Err(Refused::Unknown) => at_second_glance(&registry, &shown),
        known => Ok(known?),
    });
    let actor = found.await?;
    if let Some(id) = actor.credential {
        note_use(app, id);
    }
    Ok(Caller { credential, actor })
}

async fn by_session(app: &Arc<App>, key: SessionKey) -> Result<Caller, Problem> {
    let (registry, local) = (Arc::clone(&app.registry), Arc::clone(&app.local));
    blocking(move || {
        let session = local.session(&key, Timestamp::now())?.ok_or_else(Problem::invalid_token)?;
        let credential = Credential::Session { handle: session.handle, id: session.id };
        let actor = match registry.authenticate(&credential) {
            // Another process may have added its owner a moment ago.
            Err(Refused::Unknown) => at_second_glance(&registry, &credential)?,
            known => known?,
        };
        Ok(Caller { credential, actor })
    })
    .await
}

fn at_second_glance(registry: &Registry, credential: &Credential) -> Result<Actor, Problem> {
    registry.try_catch_up()?;
    Ok(registry.authenticate(credential)?)
}

/// Notes that a token was used. Now and then that waits for a disk, and no
/// request waits for it.
fn note_use(app: &Arc<App>, token: Id) {
    let (local, at) = (Arc::clone(&app.local), Timestamp::now());
    tokio::task::spawn_blocking(move || {
        if let Err(error) = local.token_used(&token.to_string(), at) {
            tracing::warn!(%error, "when a token was used last cannot be kept");
        }
    });
}

impl Caller {
    /// The person.
    pub fn handle(&self) -> Result<&Handle, Problem> {
        self.actor.handle.as_ref().ok_or_else(Problem::unauthenticated)
    }

    /// The caller as the registry wants to know it for a write.
    pub fn of(&self, request: &Request) -> registry::Caller {
        registry::Caller { credential: self.credential.clone(), request: Some(request.id.to_string()) }
    }
}
