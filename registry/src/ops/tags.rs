//! Setting and removing tags of a skill.

use super::{CommitContext, Decision, OpError, conflict, require_active};
use crate::api::public::TagRecord;
use crate::names::{Coordinate, TagName, Version};
use crate::public::{PublicChange, Skill, TagEntry, TagRemoved, TagSet};

/// Tags of one skill. Each tag is a few files of the tree.
pub(super) const MAX_TAGS: usize = 256;

/// A tag, and the version it is to point to.
#[derive(Debug, Clone)]
pub struct SetTag {
    /// The skill.
    pub skill: Coordinate,
    /// The tag.
    pub tag: TagName,
    /// The version.
    pub version: Version,
}

/// A tag to remove.
#[derive(Debug, Clone)]
pub struct RemoveTag {
    /// The skill.
    pub skill: Coordinate,
    /// The tag.
    pub tag: TagName,
}

/// The tag after [`set`].
#[derive(Debug, Clone)]
pub struct TagReply {
    /// Whether the tag is new.
    pub is_new: bool,
    /// The tag.
    pub record: TagRecord,
}

fn changeable<'a>(
    context: CommitContext<'a>,
    coordinate: &Coordinate,
    tag: &TagName,
) -> Result<&'a Skill, OpError> {
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().tag(skill)?;
    if tag.is_latest() {
        return conflict("the tag `latest` is reserved: it follows the highest release by itself");
    }
    require_active(context.catalog, &coordinate.namespace)?;
    Ok(skill)
}

/// Points a tag to a version. Does nothing if it already points there.
pub fn set(context: CommitContext<'_>, input: &SetTag) -> Result<Decision<TagReply>, OpError> {
    let SetTag { skill: coordinate, tag, version } = input;
    let skill = changeable(context, coordinate, tag)?;
    super::refuse_secret("tag", tag.as_str())?;
    let by = context.caller()?;
    let entry = super::version(skill, version)?;
    if entry.is_yanked() {
        return conflict(format!(
            "version {version} of {} was yanked: undo that first, or choose another version",
            coordinate.scoped()
        ));
    }
    let before = skill.tags.get(tag);
    if before.is_none() && skill.tags.len() >= MAX_TAGS {
        return conflict(format!("a skill can have {MAX_TAGS} tags: remove one first"));
    }
    if let Some(before) = before.filter(|before| before.version == *version) {
        let record = TagRecord::new(context.catalog.public, tag, before);
        return Ok(Decision::nothing(TagReply { is_new: false, record }));
    }
    let created_at = before.map_or(context.at, |before| before.created_at);
    let entry =
        TagEntry { version: version.clone(), created_at, updated_at: context.at, updated_by: by.clone() };
    let updated_by = context.catalog.person(by);
    let record = TagRecord::of(tag, &entry, updated_by.clone());
    let set = TagSet { skill: coordinate.into(), tag: tag.clone(), version: version.clone(), updated_by };
    Ok(Decision::public(PublicChange::TagSet(set), TagReply { is_new: before.is_none(), record }))
}

/// Removes a tag.
pub fn remove(context: CommitContext<'_>, input: &RemoveTag) -> Result<Decision<()>, OpError> {
    let RemoveTag { skill: coordinate, tag } = input;
    let skill = changeable(context, coordinate, tag)?;
    if !skill.tags.contains_key(tag) {
        return Err(OpError::NotFound(format!("{} has no tag `{tag}`", coordinate.scoped())));
    }
    let removed = TagRemoved { skill: coordinate.into(), tag: tag.clone() };
    Ok(Decision::public(PublicChange::TagRemoved(removed), ()))
}
