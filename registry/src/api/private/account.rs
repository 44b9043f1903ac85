//! Accounts, tokens and members.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::names::{Handle, Namespace};
use crate::public::{Id, Person};
use crate::roles::{MemberRole, PlatformRole, Scopes};
use crate::time::Timestamp;

/// The caller.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Whoami {
    pub handle: Handle,
    pub display_name: String,
    pub role: PlatformRole,
}

/// An account, as platform admins see it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "User"))]
#[serde(rename_all = "camelCase")]
pub struct UserRecord {
    /// The handle, the name and the role.
    #[serde(flatten)]
    pub whoami: Whoami,
    /// Whether the account and its tokens are disabled.
    pub disabled: bool,
    /// The time of its creation.
    pub created_at: Timestamp,
}

/// The caller's membership in a namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct OwnNamespace {
    /// The namespace.
    pub slug: Namespace,
    /// The role.
    pub role: MemberRole,
}

/// The caller's account.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Account {
    pub id: Handle,
    #[serde(flatten)]
    pub whoami: Whoami,
    pub namespaces: Vec<OwnNamespace>,
    // Those below `/-/`, each a registry of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub private_namespaces: Vec<Namespace>,
    // The token in use. None in a session.
    pub token: Option<TokenRecord>,
}

/// The first ten characters of a token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenPrefix(String);

impl TokenPrefix {
    /// The prefix of a token with this text.
    #[cfg(feature = "storage")]
    pub(crate) fn of(token: &str) -> Self {
        Self(token.chars().take(10).collect())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A token without its secret.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Token"))]
pub struct TokenRecord {
    pub id: Id,
    pub name: String,
    pub prefix: TokenPrefix,
    pub scopes: Scopes,
    pub created_at: Timestamp,
    pub expires_at: Option<Timestamp>,
    pub last_used_at: Option<Timestamp>,
}

/// A new token with its text, which no later response shows.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "NewTokenText"))]
pub struct NewToken {
    #[serde(flatten)]
    pub record: TokenRecord,
    #[serde(rename = "token")]
    pub text: String,
}

impl fmt::Debug for NewToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NewToken").field("record", &self.record).finish_non_exhaustive()
    }
}

/// A session of the caller: a browser, or a client with the tokens of a login.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Session"))]
pub struct SessionRecord {
    pub id: String,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
    pub last_used_at: Option<Timestamp>,
    // Where it began.
    pub address: Option<String>,
    // The program, as it names itself.
    pub browser: Option<String>,
    // The provider that was signed in with. None for a password.
    pub provider: Option<String>,
    // Whether it is of a client, not of a browser.
    pub is_of_client: bool,
    // Whether it is the one of this request.
    pub is_current: bool,
    // The names of the tokens made in it.
    pub tokens: Vec<String>,
}

/// How people may sign in.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct SignInWays {
    pub passwords: bool,
    pub providers: Vec<ProviderRecord>,
}

/// A provider that people may sign in with.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Provider"))]
pub struct ProviderRecord {
    pub name: String,
    pub title: String,
}

/// An account at a provider that belongs to the caller's account.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Link"))]
pub struct LinkRecord {
    pub id: Id,
    pub issuer: String,
    // The name of the provider for people. None if the settings no longer have it.
    pub title: Option<String>,
    pub created_at: Timestamp,
}

/// A member of a namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Member {
    pub user_id: Handle,
    pub handle: Handle,
    pub display_name: String,
    pub role: MemberRole,
    pub created_at: Timestamp,
}

/// An invitation to own a namespace.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "Invitation"))]
pub struct InvitationRecord {
    pub id: Id,
    pub namespace: Namespace,
    pub from: Person,
    pub to: Person,
    pub created_at: Timestamp,
    pub expires_at: Timestamp,
}
