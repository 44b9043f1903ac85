//! Who calls: from headers to an actor.

use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::AUTHORIZATION;
use registry::access::{Actor, Credential, Refused};
use registry::names::{Digest, Handle};
use registry::public::Id;
use registry::time::Timestamp;

use crate::answer::blocking;
use crate::problem::Problem;
use crate::request::Request;
use crate::state::App;

/// Who sent a request.
#[derive(Clone)]
pub struct Caller {
    /// What was presented, for the commit, which looks at it again.
    pub credential: Credential,
    /// Who it is now.
    pub actor: Actor,
}

/// The bearer token of a request (RFC 6750, section 2.1), by its digest.
fn credential(headers: &HeaderMap) -> Result<Option<Credential>, Problem> {
    let Some(value) = headers.get(AUTHORIZATION) else { return Ok(None) };
    let text = value.to_str().map_err(|_| Problem::invalid_token())?;
    let token = match text.split_once(' ') {
        Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
        _ => return Err(Problem::invalid_token()),
    };
    Ok(Some(Credential::Token(Digest::of(token.as_bytes()))))
}

/// Who sent a request. None when nothing was presented; what was presented
/// must be valid, also where nothing is needed.
pub async fn caller(app: &Arc<App>, headers: &HeaderMap) -> Result<Option<Caller>, Problem> {
    let Some(credential) = credential(headers)? else { return Ok(None) };
    let actor = match app.registry.authenticate(&credential) {
        // Another process may have issued it a moment ago. Anyone can send
        // nonsense, so this holds up no writer and waits for none.
        Err(Refused::Unknown) => {
            let (registry, credential) = (Arc::clone(&app.registry), credential.clone());
            blocking(move || {
                registry.glance()?;
                Ok(registry.authenticate(&credential)?)
            })
            .await?
        }
        known => known?,
    };
    if let Some(id) = actor.credential {
        note_use(app, id);
    }
    Ok(Some(Caller { credential, actor }))
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
