//! The caller's own things.

use super::records::{AccountRecord, InvitationRecord, OwnSkill, ReviewRecord, TransferRecord};
use super::{PageRequest, Reply, SignedIn};
use crate::ClientError;
use crate::source::records::List;

/// The caller's account, with the memberships and the token in use.
pub fn account(of: &SignedIn) -> Result<Reply<AccountRecord>, ClientError> {
    of.get("/api/v1/auth/me")
}

/// The skills that the caller wrote or submitted, the last change first.
pub fn skills(of: &SignedIn, page: PageRequest) -> Result<Reply<List<OwnSkill>>, ClientError> {
    of.list("/api/v1/me/skills", page)
}

/// The caller's submissions and promotions, the newest first.
pub fn reviews(of: &SignedIn, page: PageRequest) -> Result<Reply<List<ReviewRecord>>, ClientError> {
    of.list("/api/v1/me/reviews", page)
}

/// The invitations that the caller made or received, the newest first.
pub fn invitations(of: &SignedIn, page: PageRequest) -> Result<Reply<List<InvitationRecord>>, ClientError> {
    of.list("/api/v1/me/invitations", page)
}

/// The offers of skills that the caller made or received, the newest first.
pub fn transfers(of: &SignedIn, page: PageRequest) -> Result<Reply<List<TransferRecord>>, ClientError> {
    of.list("/api/v1/me/transfers", page)
}
