//! A version is yanked, and offered again.

use super::{Decision, Moment, OpError, check_words, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Version};
use crate::public::{PublicRecord, Unyanked, VersionEntry, VersionStatus, Yanked};

fn yankable<'a>(
    catalog: Catalog<'a>,
    actor: &Actor,
    coordinate: &Coordinate,
    version: &Version,
) -> Result<&'a VersionEntry, OpError> {
    let skill = super::skill(catalog, coordinate)?;
    Access::of(catalog, actor).yank(skill)?;
    require_active(super::namespace(catalog, &coordinate.namespace)?)?;
    super::version(skill, version)
}

/// Stops offering a version: its exact address goes on working. Again, with
/// the same reason or without one: nothing.
pub fn yank(
    catalog: Catalog<'_>,
    actor: &Actor,
    (coordinate, version, reason): (&Coordinate, &Version, Option<&str>),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let entry = yankable(catalog, actor, coordinate, version)?;
    let reason = reason.filter(|reason| !reason.trim().is_empty());
    if let Some(reason) = reason {
        check_words("reason", reason)?;
    }
    if let VersionStatus::Yanked { reason: before } = &entry.status
        && (reason.is_none() || before.as_deref() == reason)
    {
        return Ok(Decision::nothing(()));
    }
    let (skill, version) = (coordinate.into(), version.clone());
    let yanked = Yanked { skill, version, reason: reason.map(str::to_owned) };
    Ok(Decision::public(PublicRecord::from(yanked), ()))
}

/// Offers a yanked version again. One that is offered already: nothing.
pub fn undo(
    catalog: Catalog<'_>,
    actor: &Actor,
    (coordinate, version): (&Coordinate, &Version),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    if !yankable(catalog, actor, coordinate, version)?.is_yanked() {
        return Ok(Decision::nothing(()));
    }
    let offered = Unyanked { skill: coordinate.into(), version: version.clone() };
    Ok(Decision::public(PublicRecord::from(offered), ()))
}
