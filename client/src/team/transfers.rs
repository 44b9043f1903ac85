//! Offers of skills to other authors.

use registry::names::{Coordinate, Handle};
use serde_json::json;

use super::records::{Ignored, TransferRecord};
use super::signed_in::{given, skill_path};
use super::{Reply, SignedIn};
use crate::ClientError;
use crate::source::records::SkillRecord;

/// Offers a skill to another author.
pub fn offer(
    of: &SignedIn,
    skill: &Coordinate,
    to: &Handle,
    message: Option<&str>,
) -> Result<Reply<TransferRecord>, ClientError> {
    of.post(&transfer_path(skill), &given(json!({"to": to, "message": message})))
}

/// Takes an offer back, or declines it.
pub fn end(of: &SignedIn, skill: &Coordinate) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&transfer_path(skill))
}

/// Accepts an offered skill. The caller becomes its author.
pub fn accept(of: &SignedIn, skill: &Coordinate) -> Result<Reply<SkillRecord>, ClientError> {
    of.post_nothing(&format!("{}/accept", transfer_path(skill)))
}

fn transfer_path(skill: &Coordinate) -> String {
    format!("{}/transfer", skill_path(skill))
}
