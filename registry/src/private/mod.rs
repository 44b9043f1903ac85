//! Private data: accounts, tokens, members, stars, ratings, and pending reviews.
//! The generator must not use this module.

mod catalog;
mod change;
mod invitations;
mod offers;
mod password;
pub mod record;
mod review;
mod review_usage;
mod reviews;
mod row;
mod scope;
mod stars_and_ratings;
mod takedowns;
mod token;

pub use catalog::{Membership, PrivateCatalog, User};
pub use change::PrivateChange;
pub use invitations::{Invitation, Invitations};
pub use offers::{Offer, Offers};
pub use password::{HashError, Password, PasswordError, is_password_hash};
pub use review::{Decided, Promotion, Review, ReviewKind, ReviewStatus, Submission, Verdict};
pub use review_usage::ReviewUsage;
pub use reviews::Reviews;
pub use row::{Audit, DecodedPrivate, decode, encode};
pub use scope::{Scope, Scopes};
pub use stars_and_ratings::{Score, Star, StarsAndRatings};
pub use takedowns::{Authority, Takedown, Takedowns};
pub use token::{IssuedToken, Secret, Token, TokenPrefix};

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
