//! What only the registry itself may know: people's accounts, tokens, members,
//! stars and ratings, and what waits for review. Nothing here can be named by the generator.

mod catalog;
mod change;
mod offers;
mod password;
pub mod record;
mod review;
mod reviews;
mod row;
mod scope;
mod social;
mod token;

pub use catalog::{Membership, PrivateCatalog, User};
pub use change::PrivateChange;
pub use offers::{Offer, Offers};
pub use password::{HashError, Password, PasswordError};
pub use review::{Promotion, Review, ReviewKind, ReviewStatus, Submission, Verdict};
pub use reviews::Reviews;
pub use row::{Audit, DecodedPrivate, decode, encode};
pub use scope::{Scope, Scopes};
pub use social::{Score, Social, Star};
pub use token::{Secret, Token, TokenPrefix};

use serde::{Deserialize, Serialize};

/// What someone may do everywhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum PlatformRole {
    /// What everyone may.
    User,
    /// Decides reviews anywhere, but manages nothing.
    Moderator,
    /// Everything.
    Admin,
}

/// What a member may do in a namespace, the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum MemberRole {
    /// Publishes.
    Member,
    /// Also manages members and reviews.
    Admin,
    /// Everything.
    Owner,
}

macro_rules! words {
    ($name:ident, $what:literal, $($variant:ident = $word:literal),+) => {
        impl $name {
            /// Its name on the wire.
            pub fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(format!("a {} is one of {}", $what, [$($word),+].join(", "))),
                }
            }
        }
    };
}
words!(PlatformRole, "platform role", User = "user", Moderator = "moderator", Admin = "admin");
words!(MemberRole, "member's role", Member = "member", Admin = "admin", Owner = "owner");
