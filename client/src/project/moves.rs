//! Which moves to another version `update` makes.

use super::{Choice, Lock, Sources, locked_status};
use crate::install::InstallError;
use crate::{Requirement, SkillReference};

/// The choice, if it is another version than the locked one. `None` if it is the same.
///
/// Errors: unless `force`: the registry has another package for the same version, or only earlier versions although
/// the locked one is not yanked. A copy that lacks the locked version is outdated, because registries only
/// yank versions. A tag may point to an earlier version.
pub fn accept_move(
    lock: &Lock,
    sources: &Sources<'_>,
    choice: Choice,
    force: bool,
) -> Result<Option<Choice>, InstallError> {
    let Some(locked) = lock.skills.get(&choice.skill.place) else { return Ok(Some(choice)) };
    let is_tag = matches!(locked.requirement, Requirement::Tag(_));
    // The policy does not accept the version that is wanted.
    if choice.release.is_held_back && choice.skill.version <= locked.version && !force {
        return Ok(None);
    }
    let is_earlier = choice.skill.version < locked.version;
    if is_earlier && !is_tag && !force && !locked_status(sources, locked)?.is_yanked {
        return Err(InstallError::Earlier {
            skill: SkillReference::argument(&locked.coordinate),
            locked: locked.version.clone(),
            found: choice.skill.version,
        });
    }
    if locked.version != choice.skill.version {
        return Ok(Some(choice));
    }
    if locked.sha256 == choice.skill.sha256 {
        return Ok(None);
    }
    if !force {
        let skill = format!("{} {}", SkillReference::argument(&locked.coordinate), locked.version);
        let (registry, now) = (locked.registry.to_string(), &choice.skill.sha256);
        return Err(InstallError::lock_differs(skill, registry, "sha256", &locked.sha256, now));
    }
    Ok(Some(choice))
}
