//! A skill's tags are set and removed.

use super::{Decision, Moment, OpError, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::{Coordinate, TagName, Version};
use crate::public::record::TagRecord;
use crate::public::{PublicRecord, Skill, TagEntry, TagRemoved, TagSet};

/// How many tags a skill may have: each is a few files of the tree.
pub(super) const MOST_TAGS: usize = 256;

/// What became of a tag.
#[derive(Debug, Clone)]
pub struct SetTag {
    /// Whether there was none of that name.
    pub is_new: bool,
    /// The tag.
    pub record: TagRecord,
}

fn changeable<'a>(
    catalog: Catalog<'a>,
    actor: &Actor,
    coordinate: &Coordinate,
    tag: &TagName,
) -> Result<&'a Skill, OpError> {
    let skill = super::skill(catalog, coordinate)?;
    Access::of(catalog, actor).tag(skill)?;
    if tag.is_latest() {
        return Err(OpError::Conflict(
            "the tag `latest` is reserved: it follows the highest release by itself".into(),
        ));
    }
    require_active(super::namespace(catalog, &coordinate.namespace)?)?;
    Ok(skill)
}

/// Points a tag to a version.
pub fn set(
    catalog: Catalog<'_>,
    actor: &Actor,
    (coordinate, tag, version): (&Coordinate, &TagName, &Version),
    moment: Moment,
) -> Result<Decision<SetTag>, OpError> {
    let skill = changeable(catalog, actor, coordinate, tag)?;
    let by = super::caller(actor)?;
    let entry = super::version(skill, version)?;
    if entry.is_yanked() {
        return Err(OpError::Conflict(format!(
            "version {version} of {} was yanked: undo that first, or choose another version",
            coordinate.scoped()
        )));
    }
    let before = skill.tags.get(tag);
    if before.is_none() && skill.tags.len() >= MOST_TAGS {
        return Err(OpError::Conflict(format!("a skill can have {MOST_TAGS} tags: remove one first")));
    }
    if let Some(before) = before.filter(|before| before.version == *version) {
        let record = TagRecord::new(catalog.public, tag, before);
        return Ok(Decision::nothing(SetTag { is_new: false, record }));
    }
    let created_at = before.map_or(moment.now, |before| before.created_at);
    let entry =
        TagEntry { version: version.clone(), created_at, updated_at: moment.now, updated_by: by.clone() };
    let updated_by = catalog.person(by);
    let record = TagRecord::of(tag, &entry, updated_by.clone());
    let set = TagSet { skill: coordinate.into(), tag: tag.clone(), version: version.clone(), updated_by };
    Ok(Decision::public(set.into(), SetTag { is_new: before.is_none(), record }))
}

/// Removes a tag.
pub fn remove(
    catalog: Catalog<'_>,
    actor: &Actor,
    (coordinate, tag): (&Coordinate, &TagName),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let skill = changeable(catalog, actor, coordinate, tag)?;
    if !skill.tags.contains_key(tag) {
        return Err(OpError::NotFound(format!("{} has no tag `{tag}`", coordinate.scoped())));
    }
    let removed = TagRemoved { skill: coordinate.into(), tag: tag.clone() };
    Ok(Decision::public(PublicRecord::from(removed), ()))
}
