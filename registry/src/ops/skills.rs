//! Removing and restoring a skill.

use super::{CommitContext, Decision, OpError, require_active, take_down};
use crate::names::Coordinate;
use crate::private::{PrivateChange, Takedown};
use crate::public::{PublicChange, Skill};

/// Removes a skill and all its versions. The name stays reserved for its author. What
/// somebody else than the author removes, the author cannot restore. That holds also if its
/// author has removed it before.
pub fn remove(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<()>, OpError> {
    let taken_down = |skill: &Skill| take_down(context, skill, Takedown { skill: skill.id, version: None });
    if let Some(change) = context.catalog.public.removed(coordinate).and_then(taken_down) {
        return Ok(Decision::private(change, ()));
    }
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().dispose(skill)?;
    require_active(context.catalog, &coordinate.namespace)?;
    let removed = PublicChange::SkillRemoved(coordinate.into());
    Ok(Decision { private: taken_down(skill).into_iter().collect(), public: Some(removed.into()), reply: () })
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
    let takedown = Takedown { skill: skill.id, version: None };
    let mut private = Vec::new();
    if let Some(by) = context.catalog.private.takedowns.authority(takedown) {
        access.lift_takedown(skill, takedown, by)?;
        private.push(PrivateChange::TakedownLifted(takedown));
    }
    let restored = PublicChange::SkillRestored(coordinate.into());
    Ok(Decision { private, public: Some(restored.into()), reply: () })
}
