//! A skill is removed, and restored.

use super::{Decision, Moment, OpError, require_active};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::Coordinate;
use crate::public::PublicRecord;

/// Removes a skill and all its versions. Its name stays its author's.
pub fn remove(
    catalog: Catalog<'_>,
    actor: &Actor,
    coordinate: &Coordinate,
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let skill = super::skill(catalog, coordinate)?;
    Access::of(catalog, actor).dispose(skill)?;
    require_active(super::namespace(catalog, &coordinate.namespace)?)?;
    Ok(Decision::public(PublicRecord::skill_removed(coordinate.into()), ()))
}

/// Brings a removed skill back as it was. One that is there: nothing.
pub fn restore(
    catalog: Catalog<'_>,
    actor: &Actor,
    coordinate: &Coordinate,
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let access = Access::of(catalog, actor);
    if let Some(skill) = catalog.public.skill(coordinate) {
        access.dispose(skill)?;
        return Ok(Decision::nothing(()));
    }
    let removed = catalog.public.removed(coordinate);
    let skill = removed.ok_or_else(|| super::no_skill(coordinate))?;
    access.dispose(skill)?;
    require_active(super::namespace(catalog, &coordinate.namespace)?)?;
    Ok(Decision::public(PublicRecord::skill_restored(coordinate.into()), ()))
}
