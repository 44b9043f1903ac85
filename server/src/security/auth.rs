//! Authentication: from the headers of a request to its caller.

use std::sync::Arc;

use headers::HeaderMapExt;
use headers::authorization::{Authorization, Bearer};
use hyper::HeaderMap;
use registry::access::{Actor, AuthError, Credential};
use registry::local::{LocalStore, Session, SessionKey};
use registry::names::{Digest, Handle, PublicUrl};
use registry::public::Id;
use registry::time::Timestamp;
use registry::{Registry, with_causes};

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::security::session_cookie::{self, SentCookie};

/// The sender of a request.
#[derive(Clone)]
pub struct Caller {
    /// The credential that was sent. A commit checks it again.
    pub credential: Credential,
    /// The owner of the credential, and its rights.
    pub actor: Actor,
}

impl Caller {
    /// The user. 401 for a credential without one.
    pub fn handle(&self) -> Result<&Handle, Problem> {
        self.actor.handle.as_ref().ok_or_else(Problem::unauthenticated)
    }
}

/// The credential of a request.
pub enum Authentication {
    /// None was sent.
    Nothing,
    /// A valid one.
    Valid(Caller),
    /// An invalid cookie. Browsers send cookies without being asked, so this is
    /// an error only where a credential is required.
    BadCookie(Problem),
}

impl Authentication {
    /// The caller. 401 without a valid credential.
    pub fn require(self) -> Result<Caller, Problem> {
        match self {
            Self::Nothing => Err(Problem::unauthenticated()),
            Self::Valid(caller) => Ok(caller),
            Self::BadCookie(problem) => Err(problem),
        }
    }

    /// The caller, if there is a valid credential.
    pub fn caller(&self) -> Option<&Caller> {
        match self {
            Self::Valid(caller) => Some(caller),
            Self::Nothing | Self::BadCookie(_) => None,
        }
    }
}

/// Checks tokens and sessions.
pub struct Authenticator {
    pub(crate) registry: Arc<Registry>,
    pub(crate) local: Arc<LocalStore>,
    pub(crate) public_url: PublicUrl,
}

impl Authenticator {
    /// Authenticates a request by its token, or else by its cookie.
    ///
    /// Errors: 401 for an invalid token, even where none is required.
    pub async fn authenticate(&self, headers: &HeaderMap) -> Result<Authentication, Problem> {
        if let Some(token) = bearer(headers)? {
            return self.by_token(token).await.map(Authentication::Valid);
        }
        Ok(match session_cookie::read(&self.public_url, headers) {
            SentCookie::None => Authentication::Nothing,
            SentCookie::Invalid => Authentication::BadCookie(Problem::invalid_token()),
            SentCookie::Key(key) => match self.by_session(key).await {
                Ok(caller) => Authentication::Valid(caller),
                Err(problem) => Authentication::BadCookie(problem),
            },
        })
    }

    async fn by_token(&self, credential: Credential) -> Result<Caller, Problem> {
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        let caller = blocking(move || {
            let caller = identify(&registry, credential)?;
            require_session(&registry, &local, &caller.credential)?;
            Ok(caller)
        })
        .await?;
        if let Some(id) = caller.actor.credential {
            self.note_use(id);
        }
        Ok(caller)
    }

    async fn by_session(&self, key: SessionKey) -> Result<Caller, Problem> {
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        blocking(move || {
            let session = local.session(&key, Timestamp::now())?.ok_or_else(Problem::invalid_token)?;
            let Session { id, handle, expires_at } = session;
            identify(&registry, Credential::Session { handle, id, expires_at })
        })
        .await
    }

    /// Records when a token was used, without making the request wait for the disk.
    fn note_use(&self, token: Id) {
        let (local, at) = (Arc::clone(&self.local), Timestamp::now());
        tokio::task::spawn_blocking(move || {
            if let Err(error) = local.token_used(&token.to_string(), at) {
                tracing::warn!(error = %with_causes(&error), "cannot record the last use of a token");
            }
        });
    }
}

/// The bearer token of a request (RFC 6750, section 2.1), by its digest.
fn bearer(headers: &HeaderMap) -> Result<Option<Credential>, Problem> {
    let token = headers.typed_try_get::<Authorization<Bearer>>().map_err(|_| Problem::invalid_token())?;
    Ok(token.map(|token| Credential::Token(Digest::of(token.token().as_bytes()))))
}

/// Finds the owner of a credential. Waits while a write is being applied.
fn identify(registry: &Registry, credential: Credential) -> Result<Caller, Problem> {
    let actor = match registry.authenticate(&credential) {
        // Another process may have written it a moment ago. Anyone can send an
        // invalid token, so this does not queue behind writers.
        Err(AuthError::Unknown) => {
            registry.try_catch_up()?;
            registry.authenticate(&credential)?
        }
        known => known?,
    };
    Ok(Caller { credential, actor })
}

/// Refuses a session that has ended, and a token that was made in one. Called again
/// before a commit: the session may have ended after the request began to arrive. (The
/// commit itself checks the token again.)
pub fn require_session(
    registry: &Registry,
    local: &LocalStore,
    credential: &Credential,
) -> Result<(), Problem> {
    let session = match credential {
        Credential::Operator { .. } => None,
        Credential::Session { id, .. } => Some(id.clone()),
        Credential::Token(digest) => {
            registry.read(|catalog| catalog.private.token(digest).and_then(|token| token.session.clone()))
        }
    };
    match session.map(|id| local.is_session_active(&id, Timestamp::now())).transpose()? {
        None | Some(true) => Ok(()),
        Some(false) => Err(Problem::invalid_token()),
    }
}
