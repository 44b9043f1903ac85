//! A skill is rated.

use serde::Serialize;

use super::{Decision, Moment, OpError, caller};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::Coordinate;
use crate::private::{PrivateChange, Score};
use crate::public::Hundredths;

/// How it is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Rated {
    /// The caller's rating.
    pub score: Score,
    /// The mean of all.
    pub rating_average: Option<Hundredths>,
    /// How many people have rated it.
    pub rating_count: u64,
}

/// Rates a skill, in the place of the caller's earlier rating.
pub fn rate(
    catalog: Catalog<'_>,
    actor: &Actor,
    (coordinate, score): (&Coordinate, Score),
    _: Moment,
) -> Result<Decision<Rated>, OpError> {
    let handle = caller(actor)?;
    let skill = super::skill(catalog, coordinate)?;
    Access::of(catalog, actor).rate(skill)?;
    let social = catalog.private.social();
    let before = social.rating_of(skill.id, handle);
    let (rating_average, rating_count) = social.rated(skill.id, before, score);
    let reply = Rated { score, rating_average, rating_count };
    if before == Some(score) {
        return Ok(Decision::nothing(reply));
    }
    let change = PrivateChange::Rated { skill: skill.id, handle: handle.clone(), score };
    Ok(Decision::private(change, reply))
}
