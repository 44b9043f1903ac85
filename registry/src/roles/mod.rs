//! The roles of people and the scopes of tokens: the words of the API for who may do what.
//! [`crate::access`] decides by them.

mod scope;

pub use scope::{Scope, Scopes};

use serde::{Deserialize, Serialize};

/// A role in the whole registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlatformRole {
    /// The rights of every user.
    User,
    /// May decide reviews in every namespace, but not manage anything.
    Moderator,
    /// All rights.
    Admin,
}

/// The role of a member in a namespace, in ascending order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MemberRole {
    /// May publish.
    Member,
    /// May also manage members and reviews.
    Admin,
    /// All rights in the namespace.
    Owner,
}

/// Gives an enum its words in the API.
macro_rules! words {
    ($name:ident, $what:literal, $($variant:ident = $word:literal),+) => {
        impl $name {
            /// All values, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The name in the API.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(format!(
                        "there is no {} `{}`: use {}", $what, text.escape_debug(), [$($word),+].join(", ")
                    )),
                }
            }
        }
    };
}
pub(crate) use words;

words!(PlatformRole, "platform role", User = "user", Moderator = "moderator", Admin = "admin");
words!(MemberRole, "member role", Member = "member", Admin = "admin", Owner = "owner");
words!(
    Scope,
    "scope",
    Read = "read",
    Publish = "publish",
    Social = "social",
    Manage = "manage",
    Tokens = "tokens"
);
