//! The private changes. [`encode`](super::encode()) has their stored JSON.

use serde::{Deserialize, Serialize};

use super::{
    Authority, Identity, IssuedToken, Job, MemberRole, PlatformRole, Promotion, Score, Submission, Takedown,
    Verdict,
};
use crate::api::private::PublisherTerms;
use crate::names::{Handle, Namespace};
use crate::public::{Id, ScanVerdict};
use crate::time::Timestamp;

/// A private change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", rename_all_fields = "camelCase")]
pub enum PrivateChange {
    /// An account was created.
    UserAdded {
        /// The handle, which is never reused.
        handle: Handle,
        /// The display name.
        display_name: String,
        /// The role in the whole registry.
        role: PlatformRole,
    },
    /// An account and all its credentials were disabled.
    UserDisabled {
        /// The account.
        handle: Handle,
    },
    /// A disabled account was enabled again, with the credentials it still has.
    UserEnabled {
        /// The account.
        handle: Handle,
    },
    /// A token was issued. Its id is the row's revision. The token or session that the
    /// row's audit names is its parent: it ends with it.
    TokenIssued(IssuedToken),
    /// A token was revoked, and with it all that were made with it.
    TokenRevoked {
        /// The token.
        id: Id,
    },
    /// A user became a member of a namespace.
    MemberAdded {
        /// The namespace.
        namespace: Namespace,
        /// The user.
        handle: Handle,
        /// The role.
        role: MemberRole,
    },
    /// The role of a member changed.
    MemberRoleSet {
        /// The namespace.
        namespace: Namespace,
        /// The user.
        handle: Handle,
        /// The new role.
        role: MemberRole,
    },
    /// A user is no longer a member of a namespace.
    MemberRemoved {
        /// The namespace.
        namespace: Namespace,
        /// The user.
        handle: Handle,
    },
    /// A version was submitted for review. The review's id is the row's revision.
    Submitted(Box<Submission>),
    /// A scanner judged a pending submission.
    SubmissionScanned {
        /// The review.
        review: Id,
        /// The verdict.
        #[serde(flatten)]
        verdict: Box<ScanVerdict>,
    },
    /// A newer submission replaced a pending one.
    SubmissionWithdrawn {
        /// The review.
        review: Id,
    },
    /// A person has another display name.
    DisplayNameSet {
        /// The user.
        handle: Handle,
        /// The display name.
        display_name: String,
    },
    /// A user has another password. The local store has its hash. All sessions of the
    /// user end, except the one in the row's audit, and so do the tokens made in them,
    /// except the one in the row's audit.
    PasswordChanged {
        /// The user.
        handle: Handle,
    },
    /// A user starred a skill.
    Starred {
        /// The skill.
        skill: Id,
        /// The user.
        handle: Handle,
    },
    /// A user removed a star.
    Unstarred {
        /// The skill.
        skill: Id,
        /// The user.
        handle: Handle,
    },
    /// A user rated a skill. This replaces an earlier rating.
    Rated {
        /// The skill.
        skill: Id,
        /// The user.
        handle: Handle,
        /// The rating.
        score: Score,
    },
    /// A user's rating of a skill was removed.
    Unrated {
        /// The skill.
        skill: Id,
        /// The account.
        handle: Handle,
    },
    /// A promotion of a version into `global` was requested. The review's id is
    /// the row's revision.
    PromotionRequested(Box<Promotion>),
    /// A review was decided.
    ReviewDecided {
        /// The review.
        review: Id,
        /// The decision.
        verdict: Verdict,
        /// The person who decided.
        by: Handle,
        /// The comment of that person.
        comment: Option<String>,
    },
    /// A version was yanked or a skill removed by somebody else than its author, who
    /// cannot undo it.
    TakenDown {
        /// The version or skill.
        #[serde(flatten)]
        takedown: Takedown,
        /// Who can undo it. Schema 1 has no such field.
        #[serde(default)]
        by: Authority,
    },
    /// A takedown was lifted.
    TakedownLifted(Takedown),
    /// A skill was offered to another author. This replaces an earlier offer. The
    /// offer's id is the row's revision.
    AuthorOffered {
        /// The skill.
        skill: Id,
        /// The present author.
        from: Handle,
        /// The person who may accept it.
        to: Handle,
        /// The message of the present author.
        message: Option<String>,
        /// The end of the time in which it can be accepted.
        expires_at: Timestamp,
    },
    /// A person was invited to own a namespace. This replaces an earlier invitation. The
    /// invitation's id is the row's revision.
    OwnerInvited {
        /// The namespace.
        namespace: Namespace,
        /// The person who invited.
        from: Handle,
        /// The person who may accept it.
        to: Handle,
        /// The end of the time in which it can be accepted.
        expires_at: Timestamp,
    },
    /// An invitation was accepted, declined or withdrawn.
    OwnerInvitationEnded {
        /// The namespace.
        namespace: Namespace,
        /// The invited person.
        handle: Handle,
    },
    /// A private namespace was created: a registry of its own, whose history is not in this one.
    PrivateNamespaceCreated {
        /// The namespace.
        namespace: Namespace,
        /// Its first owner.
        owner: Handle,
    },
    /// Jobs of a CI system may publish in the name of the person who says so. The publisher's id is the row's revision.
    PublisherAdded {
        /// Its jobs, and the skills that they may publish.
        #[serde(flatten)]
        terms: Box<PublisherTerms>,
        /// The person.
        by: Handle,
    },
    /// Jobs may no longer publish. The tokens of running ones end.
    PublisherRemoved {
        /// The publisher.
        publisher: Id,
    },
    /// A job published or submitted the version that the row has.
    PublishedByJob {
        /// The publisher that admitted it.
        publisher: Id,
        /// The job.
        job: Box<Job>,
    },
    /// An account was given another role in the whole registry.
    PlatformRoleSet {
        /// The account.
        handle: Handle,
        /// The role.
        role: PlatformRole,
    },
    /// An account was linked to one elsewhere, with which its owner signs in.
    IdentityLinked {
        /// The account elsewhere.
        #[serde(flatten)]
        identity: Identity,
        /// The account.
        handle: Handle,
    },
    /// Such a link ended.
    IdentityUnlinked {
        /// The account elsewhere.
        #[serde(flatten)]
        identity: Identity,
        /// The account.
        handle: Handle,
    },
    /// An offer was accepted, declined or withdrawn.
    AuthorOfferEnded {
        /// The skill.
        skill: Id,
    },
}

impl PrivateChange {
    /// The skill whose counters the change affects.
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
