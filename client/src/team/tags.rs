//! Tags of a skill.

use registry::names::{Coordinate, TagName, Version};
use serde_json::json;

use super::records::{Ignored, TagRecord};
use super::signed_in::skill_path;
use super::{Reply, SignedIn};
use crate::ClientError;
use crate::source::records::List;

/// All tags of a skill, `latest` first.
pub fn list(of: &SignedIn, skill: &Coordinate) -> Result<Reply<List<TagRecord>>, ClientError> {
    of.get(&format!("{}/tags", skill_path(skill)))
}

/// Points a tag to a version.
pub fn set(
    of: &SignedIn,
    skill: &Coordinate,
    tag: &TagName,
    version: &Version,
) -> Result<Reply<TagRecord>, ClientError> {
    of.put(&tag_path(skill, tag), &json!({"version": version}))
}

/// Removes a tag.
pub fn remove(of: &SignedIn, skill: &Coordinate, tag: &TagName) -> Result<Reply<Ignored>, ClientError> {
    of.delete(&tag_path(skill, tag))
}

fn tag_path(skill: &Coordinate, tag: &TagName) -> String {
    format!("{}/tags/{tag}", skill_path(skill))
}
