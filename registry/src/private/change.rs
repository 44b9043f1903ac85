//! What can happen in private. [`super::row`](super::encode()) has its stored
//! JSON.

use serde::{Deserialize, Serialize};

use super::{MemberRole, PlatformRole, Promotion, Scopes, Score, Submission, TokenPrefix, Verdict};
use crate::names::{Digest, Handle, Namespace};
use crate::public::Id;
use crate::time::Timestamp;

/// One thing that happened in private.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PrivateChange {
    /// Someone has an account.
    UserAdded {
        /// The handle, never given away again.
        handle: Handle,
        /// The name to show.
        display_name: String,
        /// What they may do everywhere.
        role: PlatformRole,
    },
    /// An account and all its credentials stopped working.
    UserDisabled {
        /// Whose.
        handle: Handle,
    },
    /// A token was made; its id is the row's revision.
    TokenIssued {
        /// Whose.
        handle: Handle,
        /// What its owner calls it.
        name: String,
        /// How it begins.
        prefix: TokenPrefix,
        /// The sha256 of its text.
        digest: Digest,
        /// What it may be used for.
        scopes: Scopes,
        /// When it ends.
        expires_at: Option<Timestamp>,
    },
    /// A token ended.
    TokenRevoked {
        /// Which.
        id: Id,
    },
    /// Someone joined a namespace.
    MemberAdded {
        /// Where.
        namespace: Namespace,
        /// Who.
        handle: Handle,
        /// As what.
        role: MemberRole,
    },
    /// A member's role changed.
    MemberRoleSet {
        /// Where.
        namespace: Namespace,
        /// Who.
        handle: Handle,
        /// The new role.
        role: MemberRole,
    },
    /// Someone left a namespace.
    MemberRemoved {
        /// Where.
        namespace: Namespace,
        /// Who.
        handle: Handle,
    },
    /// A version was handed in for review; the review's id is the revision.
    Submitted(Box<Submission>),
    /// A newer submission took a pending one's place.
    SubmissionWithdrawn {
        /// Which.
        review: Id,
    },
    /// Someone is shown by another name.
    DisplayNameSet {
        /// Who.
        handle: Handle,
        /// The name to show.
        display_name: String,
    },
    /// Someone has another password. It is kept elsewhere, and only hashed.
    PasswordChanged {
        /// Who.
        handle: Handle,
    },
    /// Someone starred a skill.
    Starred {
        /// Which.
        skill: Id,
        /// Who.
        handle: Handle,
    },
    /// Someone took a star back.
    Unstarred {
        /// Of which skill.
        skill: Id,
        /// Who.
        handle: Handle,
    },
    /// Someone rated a skill, in the place of an earlier rating.
    Rated {
        /// Which.
        skill: Id,
        /// Who.
        handle: Handle,
        /// How.
        score: Score,
    },
    /// Someone's rating of a skill counts no more.
    Unrated {
        /// Of which skill.
        skill: Id,
        /// Whose.
        handle: Handle,
    },
    /// A version was asked to be promoted into `global`; the review's id is the
    /// revision.
    PromotionRequested(Box<Promotion>),
    /// A review came to its end.
    ReviewDecided {
        /// Which.
        review: Id,
        /// How.
        verdict: Verdict,
        /// Who decided.
        by: Handle,
        /// Why, in their words.
        comment: Option<String>,
    },
    /// A skill was offered to another author, in the place of an earlier offer;
    /// the offer's id is the revision.
    AuthorOffered {
        /// Which.
        skill: Id,
        /// Who offers it.
        from: Handle,
        /// To whom.
        to: Handle,
        /// Why, in the words of who offers it.
        message: Option<String>,
        /// Until when it can be accepted.
        expires_at: Timestamp,
    },
    /// An offer was accepted, declined or taken back.
    AuthorOfferEnded {
        /// Of which skill.
        skill: Id,
    },
}

impl PrivateChange {
    /// The skill whose counters it changes.
    pub(crate) fn counted_skill(&self) -> Option<Id> {
        match self {
            Self::Starred { skill, .. }
            | Self::Unstarred { skill, .. }
            | Self::Rated { skill, .. }
            | Self::Unrated { skill, .. } => Some(*skill),
            _ => None,
        }
    }
}
