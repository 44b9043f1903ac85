//! The records that only some people may see. `crate::private::record` makes them of the catalog.

mod account;
mod publish;
mod publisher;
mod review;
mod skill;

pub use account::{
    Account, InvitationRecord, LinkRecord, Member, NewToken, OwnNamespace, ProviderRecord, SessionRecord,
    SignInWays, TokenPrefix, TokenRecord, UserRecord, Whoami,
};
pub use publish::{PublishReply, PublishStatus};
pub use publisher::{JobToken, PublisherRecord, PublisherTerms};
pub use review::{ReviewDetail, ReviewKind, ReviewRecord, ReviewStatus, ReviewTag, Unanswered};
pub use skill::{OwnCounts, OwnSkill, Rated, Score, SkillToCaller, Starred, StarredSkill, TransferRecord};
