//! Authentication and rights. No other module decides who may do what.

mod advisories;
mod job;
mod rights;

use std::sync::Arc;

use crate::catalog::Catalog;
use crate::names::{Digest, Handle};
use crate::private::{JobGrant, PlatformRole, Scope, Scopes, User};
use crate::public::Id;
use crate::time::Timestamp;

pub use rights::Access;

/// What a caller authenticates with.
#[derive(Debug, Clone)]
pub enum Credential {
    /// Access to the data folder itself: someone at the machine.
    Operator {
        /// The user to act for, in operations that need one.
        acting_as: Option<Handle>,
    },
    /// A bearer token, as the digest of its text.
    Token(Digest),
    /// A valid session of someone who logged in with a password.
    Session {
        /// The user.
        handle: Handle,
        /// The public id of the session, for the audit.
        id: String,
        /// The end of the session.
        expires_at: Timestamp,
    },
    /// The token of a job. The local data say what it allows.
    Job(Arc<JobGrant>),
    /// A person whom another registry has authenticated: the one that this registry is a private namespace of,
    /// and that has the accounts of both.
    Elsewhere(Actor),
}

/// An authenticated caller.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The user. None for an operator who acts for nobody.
    pub handle: Option<Handle>,
    /// The role in the whole registry.
    pub role: PlatformRole,
    /// The scopes of the credential.
    pub scopes: Scopes,
    /// The id of the token in use.
    pub credential: Option<Id>,
    /// The public id of the session in use.
    pub session: Option<String>,
    /// The end of the credential, if it has one.
    pub expires_at: Option<Timestamp>,
    /// The job that acts for the user, and the one thing that it may do.
    pub job: Option<Arc<JobGrant>>,
}

/// Why a credential is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AuthError {
    /// The token does not exist. It may have been revoked.
    #[error("the token is unknown or was revoked: make a new one")]
    Unknown,
    /// The token has expired.
    #[error("the token has expired: make a new one")]
    Expired,
    /// The account is disabled.
    #[error("this account is disabled: ask an admin")]
    Disabled,
    /// The user to act for does not exist.
    #[error("there is no user of that handle: add one with `skillmirror user add`")]
    NoSuchUser,
}

/// Authenticates a caller.
pub fn authenticate(
    catalog: Catalog<'_>,
    credential: &Credential,
    now: Timestamp,
) -> Result<Actor, AuthError> {
    let user = |handle: &Handle, scopes| {
        let user = catalog.private.user(handle).ok_or(AuthError::Unknown)?;
        if user.disabled {
            return Err(AuthError::Disabled);
        }
        Ok(Actor::with(Some(user.handle.clone()), user.role, scopes))
    };
    match credential {
        Credential::Operator { acting_as } => {
            if acting_as.as_ref().is_some_and(|handle| catalog.private.user(handle).is_none()) {
                return Err(AuthError::NoSuchUser);
            }
            Ok(Actor::with(acting_as.clone(), PlatformRole::Admin, Scopes::all()))
        }
        Credential::Token(digest) => {
            let token = catalog.private.token(digest).ok_or(AuthError::Unknown)?;
            let actor = user(&token.issued.handle, token.issued.scopes.clone())?;
            if token.is_expired(now) {
                return Err(AuthError::Expired);
            }
            Ok(Actor { credential: Some(token.id), expires_at: token.issued.expires_at, ..actor })
        }
        Credential::Session { handle, id, expires_at } => {
            let (session, expires_at) = (Some(id.clone()), Some(*expires_at));
            Ok(Actor { session, expires_at, ..user(handle, Scopes::all())? })
        }
        Credential::Job(grant) => {
            let publisher = catalog.private.publishers.get(grant.publisher).ok_or(AuthError::Unknown)?;
            if grant.expires_at <= now {
                return Err(AuthError::Expired);
            }
            let actor = user(&publisher.added_by, Scopes::from(vec![Scope::Publish]))?;
            // What a platform admin may do beyond the namespace is not for jobs.
            let role = PlatformRole::User;
            Ok(Actor { role, expires_at: Some(grant.expires_at), job: Some(Arc::clone(grant)), ..actor })
        }
        Credential::Elsewhere(there) => {
            // Its skill is one of the other registry.
            if there.job.is_some() {
                return Err(AuthError::Unknown);
            }
            let handle = there.handle.as_ref().ok_or(AuthError::Unknown)?;
            // The other registry says who is disabled.
            let here = catalog.private.user(handle).ok_or(AuthError::Unknown)?;
            Ok(Actor { role: here.role, ..there.clone() })
        }
    }
}

impl Actor {
    fn with(handle: Option<Handle>, role: PlatformRole, scopes: Scopes) -> Self {
        Self { handle, role, scopes, credential: None, session: None, expires_at: None, job: None }
    }

    /// Stands for a user who is not the caller, to check rights that the user must still
    /// have. A disabled user has none.
    pub(crate) fn absent(user: &User) -> Self {
        let (handle, role) = match user.disabled {
            true => (None, PlatformRole::User),
            false => (Some(user.handle.clone()), user.role),
        };
        Self::with(handle, role, Scopes::all())
    }

    /// Checks that the credential has a scope.
    pub fn needs(&self, scope: Scope) -> Result<(), Denied> {
        if self.scopes.has(scope) {
            return Ok(());
        }
        Err(Denied(format!("this token lacks the scope `{}`: use one that has it", scope.as_str())))
    }

    fn is_admin(&self) -> bool {
        self.role == PlatformRole::Admin
    }

    fn is(&self, handle: &Handle) -> bool {
        self.handle.as_ref() == Some(handle)
    }
}

/// A missing right, as a sentence for the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Denied(pub String);

/// Whether a publication needs a review.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publishing {
    /// It becomes public at once.
    Direct,
    /// It waits for approval.
    Reviewed,
}

/// Who may create namespaces (the setting `namespaces.creation`).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NamespaceCreation {
    /// Everyone.
    #[default]
    Open,
    /// Platform admins.
    Admins,
}
