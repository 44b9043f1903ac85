//! Yanking a version, and undoing that.

use super::{CommitContext, Decision, OpError, check_words, require_active, take_down};
use crate::names::{Coordinate, Version};
use crate::private::{PrivateChange, Takedown};
use crate::public::{PublicChange, Skill, Unyanked, VersionEntry, VersionStatus, Yanked};

/// A version to yank.
#[derive(Debug, Clone)]
pub struct Yank {
    /// The skill.
    pub skill: Coordinate,
    /// The version.
    pub version: Version,
    /// The reason, at most 2 KiB.
    pub reason: Option<String>,
}

/// A yanked version to restore.
#[derive(Debug, Clone)]
pub struct Unyank {
    /// The skill.
    pub skill: Coordinate,
    /// The version.
    pub version: Version,
}

/// A version that the caller may yank.
struct Yankable<'a> {
    skill: &'a Skill,
    entry: &'a VersionEntry,
    takedown: Takedown,
}

fn yankable<'a>(
    context: CommitContext<'a>,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<Yankable<'a>, OpError> {
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().yank(skill)?;
    require_active(context.catalog, &coordinate.namespace)?;
    let entry = super::version(skill, version)?;
    let takedown = Takedown { skill: skill.id, version: Some(entry.id) };
    Ok(Yankable { skill, entry, takedown })
}

/// Yanks a version: it is no longer offered, but its exact address keeps working. Does
/// nothing if the version is yanked and no other reason is given. What somebody else than the
/// author yanks, the author cannot change or undo.
pub fn yank(context: CommitContext<'_>, input: &Yank) -> Result<Decision<()>, OpError> {
    let Yank { skill: coordinate, version, reason } = input;
    let Yankable { skill, entry, takedown } = yankable(context, coordinate, version)?;
    let before = context.catalog.private.takedowns.authority(takedown);
    let private = Vec::from_iter(take_down(context, skill, takedown));
    let reason = reason.as_deref().filter(|reason| !reason.trim().is_empty());
    check_words("reason", reason)?;
    if let VersionStatus::Yanked { reason: present } = &entry.status
        && (reason.is_none() || present.as_deref() == reason)
    {
        return Ok(Decision { private, public: None, reply: () });
    }
    if let Some(by) = before {
        context.access().lift_takedown(skill, takedown, by)?;
    }
    let (skill, version) = (coordinate.into(), version.clone());
    let yanked = Yanked { skill, version, reason: reason.map(str::to_owned) };
    Ok(Decision { private, public: Some(PublicChange::Yanked(yanked).into()), reply: () })
}

/// Undoes a yank. Does nothing if the version is not yanked.
pub fn unyank(context: CommitContext<'_>, input: &Unyank) -> Result<Decision<()>, OpError> {
    let Unyank { skill: coordinate, version } = input;
    let Yankable { skill, entry, takedown } = yankable(context, coordinate, version)?;
    if !entry.is_yanked() {
        return Ok(Decision::nothing(()));
    }
    let mut private = Vec::new();
    if let Some(by) = context.catalog.private.takedowns.authority(takedown) {
        context.access().lift_takedown(skill, takedown, by)?;
        private.push(PrivateChange::TakedownLifted(takedown));
    }
    let offered = Unyanked { skill: coordinate.into(), version: version.clone() };
    Ok(Decision { private, public: Some(PublicChange::Unyanked(offered).into()), reply: () })
}
