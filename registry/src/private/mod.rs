//! Private data: accounts, tokens, members, stars, ratings, and pending reviews.
//! The generator must not use this module.

mod catalog;
mod change;
mod identities;
mod invitations;
mod job;
mod offers;
mod password;
mod publishers;
mod record;
mod review;
mod review_usage;
mod reviews;
mod row;
mod stars_and_ratings;
mod takedowns;
mod token;

pub use catalog::{Membership, PrivateCatalog, User};
pub use change::PrivateChange;
pub use identities::{Identities, Identity, IdentityLink};
pub use invitations::{Invitation, Invitations};
pub use job::{Job, JobGrant};
pub use offers::{Offer, Offers};
pub use password::{HashError, Password, PasswordError, is_password_hash};
pub use publishers::{Publisher, Publishers};
pub use review::{Decided, Promotion, Review, Submission, Verdict};
pub use review_usage::ReviewUsage;
pub use reviews::Reviews;
pub use row::{Audit, DecodedPrivate, decode, encode};
pub use stars_and_ratings::{Star, StarsAndRatings};
pub use takedowns::{Authority, Takedown, Takedowns};
pub use token::{IssuedToken, Secret, Token};

pub use crate::api::private::{ReviewKind, ReviewStatus, Score, TokenPrefix};
pub use crate::roles::{MemberRole, PlatformRole, Scope, Scopes};
