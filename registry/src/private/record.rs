//! The records of the API that only some people may see.

use serde::Serialize;

mod review;
mod skill;

use super::{Invitation, MemberRole, Membership, PlatformRole, Scopes, Token, TokenPrefix, User};
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace};
use crate::public::{Id, Person};
use crate::time::Timestamp;

pub use review::{ReviewDetail, ReviewRecord};
pub use skill::{OwnCounts, OwnSkill, StarredSkill, TransferRecord};

/// The caller.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    handle: Handle,
    display_name: String,
    role: PlatformRole,
}

impl From<&User> for Whoami {
    fn from(user: &User) -> Self {
        Self { handle: user.handle.clone(), display_name: user.display_name.clone(), role: user.role }
    }
}

/// The caller's membership in a namespace.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnNamespace {
    /// The namespace.
    pub slug: Namespace,
    /// The role.
    pub role: MemberRole,
}

/// The caller's account.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    id: Handle,
    #[serde(flatten)]
    whoami: Whoami,
    namespaces: Vec<OwnNamespace>,
    token: Option<TokenRecord>,
}

impl Account {
    /// The record of an account and the token in use.
    pub fn new(user: &User, namespaces: Vec<OwnNamespace>, token: Option<TokenRecord>) -> Self {
        Self { id: user.handle.clone(), whoami: user.into(), namespaces, token }
    }
}

/// A token without its secret.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Token"))]
pub struct TokenRecord {
    id: Id,
    name: String,
    prefix: TokenPrefix,
    scopes: Scopes,
    created_at: Timestamp,
    expires_at: Option<Timestamp>,
    last_used_at: Option<Timestamp>,
}

impl TokenRecord {
    /// The record of a token. The time of its last use is not in the catalog.
    pub fn new(token: &Token, last_used_at: Option<Timestamp>) -> Self {
        Self {
            id: token.id,
            name: token.issued.name.clone(),
            prefix: token.issued.prefix.clone(),
            scopes: token.issued.scopes.clone(),
            created_at: token.created_at,
            expires_at: token.issued.expires_at,
            last_used_at,
        }
    }
}

/// A member of a namespace.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Member {
    user_id: Handle,
    handle: Handle,
    display_name: String,
    role: MemberRole,
    created_at: Timestamp,
}

impl Member {
    /// The record of a member.
    pub fn new(user: &User, membership: Membership) -> Self {
        Self {
            user_id: user.handle.clone(),
            handle: user.handle.clone(),
            display_name: user.display_name.clone(),
            role: membership.role,
            created_at: membership.created_at,
        }
    }
}

/// An invitation to own a namespace.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Invitation"))]
pub struct InvitationRecord {
    id: Id,
    namespace: Namespace,
    from: Person,
    to: Person,
    created_at: Timestamp,
    expires_at: Timestamp,
}

impl InvitationRecord {
    /// The record of an invitation.
    pub fn new(catalog: Catalog<'_>, invitation: &Invitation) -> Self {
        Self {
            id: invitation.id,
            namespace: invitation.namespace.clone(),
            from: catalog.person(&invitation.from),
            to: catalog.person(&invitation.to),
            created_at: invitation.created_at,
            expires_at: invitation.expires_at,
        }
    }
}
