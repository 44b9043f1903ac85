//! Authentication: from the headers of a request to its caller.

use std::sync::Arc;
use std::time::Duration;

use headers::HeaderMapExt;
use headers::authorization::{Authorization, Basic, Bearer};
use hyper::HeaderMap;
use registry::access::{Actor, AuthError, Credential};
use registry::local::{LocalStore, Session, SessionKey};
use registry::names::{Digest, Handle, PublicUrl};
use registry::private::{Scope, Secret};
use registry::public::Id;
use registry::read_key::ReadKey;
use registry::time::Timestamp;
use registry::{Registry, with_causes};

use crate::blocking::blocking;
use crate::problem::Problem;
use crate::security::read_keys::ReadKeys;
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
#[allow(clippy::large_enum_variant, reason = "there is one for each request, and most are the large one")]
pub enum Authentication {
    /// None was sent.
    Nothing,
    /// A valid one.
    Valid(Caller),
    /// A valid read key, which belongs to nobody.
    ReadKey,
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
            Self::ReadKey => Err(Problem::forbidden("A read key only reads: send a token.")),
            Self::BadCookie(problem) => Err(problem),
        }
    }

    /// Whether it admits to the reads of a closed registry.
    pub fn admits_reads(&self) -> bool {
        match self {
            Self::Valid(caller) => caller.actor.needs(Scope::Read).is_ok(),
            Self::ReadKey => true,
            Self::Nothing | Self::BadCookie(_) => false,
        }
    }

    /// The caller, if there is a valid credential.
    pub fn caller(&self) -> Option<&Caller> {
        match self {
            Self::Valid(caller) => Some(caller),
            Self::Nothing | Self::ReadKey | Self::BadCookie(_) => None,
        }
    }
}

/// Checks tokens, sessions and read keys.
pub struct Authenticator {
    pub(crate) registry: Arc<Registry>,
    pub(crate) local: Arc<LocalStore>,
    pub(crate) public_url: PublicUrl,
    pub(crate) read_keys: Arc<ReadKeys>,
    /// How long tokens of linked accounts work after a sign-in with a provider.
    pub(crate) reconfirm: Option<Duration>,
}

impl Authenticator {
    /// Authenticates a request by its token or read key, or else by its cookie.
    ///
    /// Errors: 401 for an invalid token, even where none is required.
    pub async fn authenticate(&self, headers: &HeaderMap, is_read: bool) -> Result<Authentication, Problem> {
        if let Some(secret) = sent_secret(headers, is_read)? {
            return match ReadKey::read(&secret) {
                Some(key) => require_read_key(&self.read_keys, key).await.map(|()| Authentication::ReadKey),
                None => {
                    let digest = Digest::of(secret.as_bytes());
                    let caller = match Secret::is_of_job(&secret) {
                        true => self.by_job(digest).await,
                        false => self.by_token(Credential::Token(digest)).await,
                    };
                    caller.map(Authentication::Valid)
                }
            };
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
        let reconfirm = self.reconfirm;
        let caller = blocking(move || {
            let caller = identify(&registry, credential)?;
            require_session(&registry, &local, &caller.credential)?;
            if let Some(reconfirm) = reconfirm {
                require_sign_in(&registry, &local, &caller, reconfirm)?;
            }
            Ok(caller)
        })
        .await?;
        if let Some(id) = caller.actor.credential {
            self.note_use(id);
        }
        Ok(caller)
    }

    async fn by_job(&self, token: Digest) -> Result<Caller, Problem> {
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        let reconfirm = self.reconfirm;
        blocking(move || {
            let grant = local.job_token(&token, Timestamp::now())?.ok_or_else(Problem::invalid_token)?;
            let caller = identify(&registry, Credential::Job(Arc::new(grant)))?;
            if let Some(reconfirm) = reconfirm {
                require_sign_in(&registry, &local, &caller, reconfirm)?;
            }
            Ok(caller)
        })
        .await
    }

    async fn by_session(&self, key: SessionKey) -> Result<Caller, Problem> {
        let (registry, local) = (Arc::clone(&self.registry), Arc::clone(&self.local));
        blocking(move || {
            let session = local.session(&key, Timestamp::now())?.ok_or_else(Problem::invalid_token)?;
            let Session { id, handle, expires_at, .. } = session;
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

/// The token or read key of a request: a bearer token (RFC 6750, section 2.1), or in a read the password or the
/// name of Basic (RFC 7617), as git sends it. Writes take no Basic, because browsers send it without being asked.
pub fn sent_secret(headers: &HeaderMap, is_read: bool) -> Result<Option<String>, Problem> {
    if is_read && let Some(Authorization(basic)) = headers.typed_get::<Authorization<Basic>>() {
        let is_in_name = basic.password().is_empty() || ReadKey::read(basic.username()).is_some();
        return Ok(Some(if is_in_name { basic.username() } else { basic.password() }.to_owned()));
    }
    let token = headers.typed_try_get::<Authorization<Bearer>>().map_err(|_| Problem::invalid_token())?;
    Ok(token.map(|token| token.token().to_owned()))
}

/// Checks a read key. 401 if it is not valid.
pub async fn require_read_key(keys: &Arc<ReadKeys>, key: ReadKey) -> Result<(), Problem> {
    if keys.is_known(key.reveal()) {
        return Ok(());
    }
    let keys = Arc::clone(keys);
    let is_valid = blocking(move || keys.is_valid(&key).map_err(Problem::internal)).await?;
    if is_valid { Ok(()) } else { Err(Problem::invalid_token()) }
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
        Credential::Operator { .. } | Credential::Elsewhere(_) | Credential::Job(_) => None,
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

/// Refuses the token of a linked account whose owner has not signed in with a provider for `reconfirm`: it may have
/// been taken away there.
fn require_sign_in(
    registry: &Registry,
    local: &LocalStore,
    caller: &Caller,
    reconfirm: Duration,
) -> Result<(), Problem> {
    let Some(handle) = &caller.actor.handle else { return Ok(()) };
    let linked =
        registry.read(|catalog| catalog.private.identities.of(handle).map(|link| link.created_at).max());
    let Some(linked) = linked else { return Ok(()) };
    let last = local.last_sign_in(handle)?.unwrap_or(linked).max(linked);
    if last.plus(reconfirm) > Timestamp::now() {
        return Ok(());
    }
    Err(Problem::sign_in_again())
}
