//! What one person may have.

use super::{CommitContext, OpError, conflict};
use crate::access::{Access, Actor};
use crate::names::Handle;
use crate::private::{MemberRole, ReviewUsage};
use crate::public::Skill;
use crate::quotas::Quotas;

/// Checks that one more submission or promotion may wait for review.
pub(super) fn check_pending(usage: ReviewUsage, quotas: Quotas) -> Result<(), OpError> {
    if usage.pending < quotas.pending {
        return Ok(());
    }
    conflict(format!(
        "{} submissions of yours wait for review, the most that one person may have: wait until some are decided",
        usage.pending
    ))
}

/// Whether the limits for each person do not hold for this one.
fn exceeds_quotas(context: CommitContext<'_>, person: &Handle) -> bool {
    if context.actor.handle.as_ref() == Some(person) {
        return context.access().exceed_quotas();
    }
    let user = context.catalog.private.user(person).map(Actor::absent);
    user.is_some_and(|user| Access::of(context.catalog, &user).exceed_quotas())
}

/// A person as the subject of a sentence for the caller.
fn person_is(context: CommitContext<'_>, person: &Handle, verb: (&str, &str)) -> String {
    match context.actor.handle.as_ref() == Some(person) {
        true => format!("you {}", verb.0),
        false => format!("`{person}` {}", verb.1),
    }
}

/// Checks that a person may become the author of one more skill.
pub(super) fn check_skills(
    context: CommitContext<'_>,
    person: &Handle,
    quotas: Quotas,
) -> Result<(), OpError> {
    if exceeds_quotas(context, person) || context.catalog.public.authors_fewer(person, quotas.skills) {
        return Ok(());
    }
    conflict(format!(
        "{} the author of {} skills, removed ones included, the most that one person may have: ask an operator of \
         the registry to raise `limits.skills_per_person`",
        person_is(context, person, ("are", "is")),
        quotas.skills
    ))
}

/// Checks that a person may publish one more version of a skill, or become the author of a new one.
pub(super) fn check_room(
    context: CommitContext<'_>,
    skill: Option<&Skill>,
    person: &Handle,
    quotas: Quotas,
) -> Result<(), OpError> {
    let Some(skill) = skill else { return check_skills(context, person, quotas) };
    if skill.versions.len() < quotas.versions || exceeds_quotas(context, person) {
        return Ok(());
    }
    conflict(format!(
        "{} has {} versions, the most that a skill may have: publish under another slug, or ask an operator of \
         the registry to raise `limits.versions_per_skill`",
        skill.coordinate.scoped(),
        quotas.versions
    ))
}

/// Checks that a person may own one more namespace.
pub(super) fn check_namespaces(
    context: CommitContext<'_>,
    person: &Handle,
    quotas: Quotas,
) -> Result<(), OpError> {
    let own = context.catalog.private.namespaces_of(person);
    let own = own.filter(|name| context.catalog.role(name, person) == Some(MemberRole::Owner)).count();
    if own < quotas.namespaces || exceeds_quotas(context, person) {
        return Ok(());
    }
    conflict(format!(
        "{} {own} namespaces, the most that one person may have: ask an operator of the registry to raise \
         `limits.namespaces_per_person`",
        person_is(context, person, ("own", "owns"))
    ))
}
