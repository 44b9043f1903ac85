//! Who may do what: the one place that decides rights.

mod rights;

use crate::catalog::Catalog;
use crate::names::{Digest, Handle};
use crate::private::{PlatformRole, Scope, Scopes, User};
use crate::public::Id;
use crate::time::Timestamp;

pub use rights::Access;

/// What a caller presents.
#[derive(Debug, Clone)]
pub enum Credential {
    /// The person at the machine itself, who owns the data folder; acts for
    /// someone where an operation needs a person.
    Operator {
        /// For whom.
        acting_as: Option<Handle>,
    },
    /// A bearer token, by its digest.
    Token(Digest),
    /// A session that someone began with a password, found to be valid.
    Session {
        /// Whose it is.
        handle: Handle,
        /// Its public id, for the audit.
        id: String,
    },
}

/// Who acts, with what.
#[derive(Debug, Clone)]
pub struct Actor {
    /// The person; None for the operator acting for nobody.
    pub handle: Option<Handle>,
    /// What they may do everywhere.
    pub role: PlatformRole,
    /// What the credential may be used for.
    pub scopes: Scopes,
    /// The token in use.
    pub credential: Option<Id>,
    /// The public id of the session in use.
    pub session: Option<String>,
}

/// Why a credential is not accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// No token has that text; it may have been revoked.
    #[error("the token is unknown or was revoked: make a new one")]
    Unknown,
    /// Its time is over.
    #[error("the token has expired: make a new one")]
    Expired,
    /// Its owner's account was switched off.
    #[error("this account is disabled: ask an admin")]
    Disabled,
    /// The operator named someone who has no account.
    #[error("there is no user of that handle: add one with `skillmirror user add`")]
    NoSuchUser,
}

/// Finds out who acts.
pub fn authenticate(catalog: Catalog<'_>, credential: &Credential, now: Timestamp) -> Result<Actor, Refused> {
    match credential {
        Credential::Operator { acting_as } => {
            if acting_as.as_ref().is_some_and(|handle| catalog.private.user(handle).is_none()) {
                return Err(Refused::NoSuchUser);
            }
            let (role, scopes) = (PlatformRole::Admin, Scopes::all());
            Ok(Actor { handle: acting_as.clone(), role, scopes, credential: None, session: None })
        }
        Credential::Token(digest) => {
            let token = catalog.private.token(digest).ok_or(Refused::Unknown)?;
            let user = catalog.private.user(&token.handle).ok_or(Refused::Unknown)?;
            if user.disabled {
                return Err(Refused::Disabled);
            }
            if token.is_expired(now) {
                return Err(Refused::Expired);
            }
            Ok(Actor {
                handle: Some(user.handle.clone()),
                role: user.role,
                scopes: token.scopes.clone(),
                credential: Some(token.id),
                session: None,
            })
        }
        Credential::Session { handle, id } => {
            let user = catalog.private.user(handle).ok_or(Refused::Unknown)?;
            if user.disabled {
                return Err(Refused::Disabled);
            }
            Ok(Actor {
                handle: Some(user.handle.clone()),
                role: user.role,
                scopes: Scopes::all(),
                credential: None,
                session: Some(id.clone()),
            })
        }
    }
}

impl Actor {
    /// Someone who is not there, for what others do on their word: with all
    /// rights of the person, or none of a disabled one.
    pub(crate) fn absent(user: &User) -> Self {
        let (handle, role) = match user.disabled {
            true => (None, PlatformRole::User),
            false => (Some(user.handle.clone()), user.role),
        };
        Self { handle, role, scopes: Scopes::all(), credential: None, session: None }
    }

    /// Whether the credential may be used for this; the sentence says what it
    /// lacks.
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

/// A right that is not there, as a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Denied(pub String);

/// How a publication goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Publishing {
    /// It becomes public at once.
    Direct,
    /// It waits for approval.
    Reviewed,
}

/// Whether making namespaces is for everyone (`namespaces.creation`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Creation {
    /// For everyone.
    Open,
    /// For platform admins.
    Admins,
}
