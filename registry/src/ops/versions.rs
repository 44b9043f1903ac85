//! Yanking a version, and undoing that.

use super::{CommitContext, Decision, OpError, check_words, require_active};
use crate::names::{Coordinate, Version};
use crate::public::{PublicChange, Unyanked, VersionEntry, VersionStatus, Yanked};

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

fn yankable<'a>(
    context: CommitContext<'a>,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<&'a VersionEntry, OpError> {
    let skill = super::skill(context.catalog, coordinate)?;
    context.access().yank(skill)?;
    require_active(context.catalog, &coordinate.namespace)?;
    super::version(skill, version)
}

/// Yanks a version: it is no longer offered, but its exact address keeps working. Does
/// nothing if the version is yanked and no other reason is given.
pub fn yank(context: CommitContext<'_>, input: &Yank) -> Result<Decision<()>, OpError> {
    let Yank { skill: coordinate, version, reason } = input;
    let entry = yankable(context, coordinate, version)?;
    let reason = reason.as_deref().filter(|reason| !reason.trim().is_empty());
    check_words("reason", reason)?;
    if let VersionStatus::Yanked { reason: before } = &entry.status
        && (reason.is_none() || before.as_deref() == reason)
    {
        return Ok(Decision::nothing(()));
    }
    let (skill, version) = (coordinate.into(), version.clone());
    let yanked = Yanked { skill, version, reason: reason.map(str::to_owned) };
    Ok(Decision::public(PublicChange::Yanked(yanked), ()))
}

/// Undoes a yank. Does nothing if the version is not yanked.
pub fn unyank(context: CommitContext<'_>, input: &Unyank) -> Result<Decision<()>, OpError> {
    let Unyank { skill: coordinate, version } = input;
    if !yankable(context, coordinate, version)?.is_yanked() {
        return Ok(Decision::nothing(()));
    }
    let offered = Unyanked { skill: coordinate.into(), version: version.clone() };
    Ok(Decision::public(PublicChange::Unyanked(offered), ()))
}
