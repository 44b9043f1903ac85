//! Removing and restoring a skill.

use super::{CommitContext, Decision, OpError, require_active};
use crate::names::Coordinate;
use crate::public::PublicChange;

/// Removes a skill and all its versions. The name stays reserved for its author.
pub fn remove(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<()>, OpError> {
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().dispose(skill)?;
    require_active(context.catalog, &coordinate.namespace)?;
    Ok(Decision::public(PublicChange::SkillRemoved(coordinate.into()), ()))
}

/// Restores a removed skill. Does nothing if the skill is not removed.
pub fn restore(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<()>, OpError> {
    let access = context.access();
    if let Some(skill) = context.catalog.public.skill(coordinate) {
        access.dispose(skill)?;
        return Ok(Decision::nothing(()));
    }
    let removed = context.catalog.public.removed(coordinate);
    let skill = removed.ok_or_else(|| super::no_skill(coordinate))?;
    access.dispose(skill)?;
    require_active(context.catalog, &coordinate.namespace)?;
    Ok(Decision::public(PublicChange::SkillRestored(coordinate.into()), ()))
}
