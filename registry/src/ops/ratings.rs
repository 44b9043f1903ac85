//! Rating a skill.

use super::{CommitContext, Decision, OpError};
use crate::api::private::Rated;
use crate::names::Coordinate;
use crate::private::{PrivateChange, Score};

/// A rating.
#[derive(Debug, Clone)]
pub struct RateSkill {
    /// The rated skill.
    pub skill: Coordinate,
    /// The rating.
    pub score: Score,
}

/// Rates a skill. Replaces the caller's earlier rating.
pub fn set(
    context: CommitContext<'_>,
    &RateSkill { skill: ref coordinate, score }: &RateSkill,
) -> Result<Decision<Rated>, OpError> {
    let handle = context.caller()?;
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().rate(skill)?;
    let opinions = &context.catalog.private.stars_and_ratings;
    let before = opinions.rating_of(skill.id, handle);
    let (rating_average, rating_count) = opinions.rated(skill.id, before, score);
    let reply = Rated { score, rating_average, rating_count };
    if before == Some(score) {
        return Ok(Decision::nothing(reply));
    }
    let change = PrivateChange::Rated { skill: skill.id, handle: handle.clone(), score };
    Ok(Decision::private(change, reply))
}
