//! Starring a skill, and removing a star.

use super::{CommitContext, Decision, OpError};
use crate::api::private::Starred;
use crate::names::{Coordinate, Handle};
use crate::private::PrivateChange;
use crate::public::Id;

struct State<'a> {
    skill: Id,
    handle: &'a Handle,
    is_starred: bool,
    count: u64,
}

fn state<'a>(context: CommitContext<'a>, coordinate: &Coordinate) -> Result<State<'a>, OpError> {
    let handle = context.caller()?;
    let skill = super::skill(context.catalog, coordinate)?.id;
    let opinions = &context.catalog.private.stars_and_ratings;
    let is_starred = opinions.star_of(skill, handle).is_some();
    Ok(State { skill, handle, is_starred, count: opinions.counters(skill).stars })
}

/// Stars a skill. Does nothing if the caller has starred it already.
pub fn add(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<Starred>, OpError> {
    let State { skill, handle, is_starred, count } = state(context, coordinate)?;
    if is_starred {
        return Ok(Decision::nothing(Starred { starred: true, star_count: count }));
    }
    let change = PrivateChange::Starred { skill, handle: handle.clone() };
    Ok(Decision::private(change, Starred { starred: true, star_count: count + 1 }))
}

/// Removes the caller's star. Does nothing without one.
pub fn remove(context: CommitContext<'_>, coordinate: &Coordinate) -> Result<Decision<Starred>, OpError> {
    let State { skill, handle, is_starred, count } = state(context, coordinate)?;
    if !is_starred {
        return Ok(Decision::nothing(Starred { starred: false, star_count: count }));
    }
    let change = PrivateChange::Unstarred { skill, handle: handle.clone() };
    Ok(Decision::private(change, Starred { starred: false, star_count: count.saturating_sub(1) }))
}
