//! The tags that a publication sets.

use super::publish_draft::Draft;
use super::tags::MAX_TAGS as MAX_TAGS_OF_SKILL;
use super::{OpError, conflict, invalid};
use crate::access::Access;
use crate::names::{TagName, Version};
use crate::private::Scope;
use crate::public::Skill;

/// Tags that one request may set.
const MAX_TAGS: usize = 32;

/// Refuses the tag `latest` for a version that it will not point to. It follows the versions by
/// itself, so nothing is stored.
pub(super) fn require_latest(skill: Option<&Skill>, version: &Version) -> Result<(), OpError> {
    match skill.and_then(Skill::latest) {
        Some(latest) if latest.version.cmp_as_latest(version).is_gt() => conflict(format!(
            "the tag `latest` follows the highest release, which is {}, not {version}: publish without this tag",
            latest.version
        )),
        _ => Ok(()),
    }
}

/// Checks the tags to set, without `latest`.
pub(super) fn tags(
    access: &Access<'_>,
    skill: Option<&Skill>,
    asked: &[TagName],
) -> Result<Vec<TagName>, OpError> {
    let mut tags: Vec<_> = asked.iter().filter(|tag| !tag.is_latest()).cloned().collect();
    tags.sort_unstable();
    tags.dedup();
    if tags.len() > MAX_TAGS {
        let message = format!("it has {} tags: at most {MAX_TAGS} can be set at once", tags.len());
        return invalid("tags", message);
    }
    if let Some(skill) = skill.filter(|_| !tags.is_empty()) {
        access.tag(skill)?;
        let new = tags.iter().filter(|tag| !skill.tags.contains_key(*tag)).count();
        if skill.tags.len() + new > MAX_TAGS_OF_SKILL {
            return conflict(format!(
                "a skill can have {MAX_TAGS_OF_SKILL} tags: use some that it has already"
            ));
        }
    }
    Ok(tags)
}

/// Checks that the credential allows moving those of the tags that exist.
pub(super) fn may_move(draft: &Draft<'_>, tags: &[TagName]) -> Result<(), OpError> {
    let Draft { skill: Some(skill), context, coordinate, .. } = draft else { return Ok(()) };
    let moved = tags.iter().find_map(|tag| Some((tag, skill.tags.get(tag)?)));
    if let Some((tag, entry)) = moved.filter(|_| context.actor.needs(Scope::Manage).is_err()) {
        return Err(OpError::Forbidden(format!(
            "the tag `{tag}` of {} points to {}, and this token lacks the scope `manage` to move it: use another tag, \
             or a token that has it",
            coordinate.scoped(),
            entry.version
        )));
    }
    Ok(())
}
