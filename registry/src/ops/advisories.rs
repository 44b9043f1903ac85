//! Advisories about versions of a skill.

use super::{CommitContext, Decision, OpError, check_text, check_title, check_words, conflict, invalid};
use crate::names::{Coordinate, Version, VersionRange};
use crate::public::{
    AdvisoryId, AdvisoryLevel, AdvisoryPublished, AdvisoryWithdrawn, Id, MAX_ADVISORIES,
    MAX_ADVISORIES_OF_NAMESPACE, MAX_ADVISORY_TEXT, MAX_ADVISORY_TITLE, MAX_RANGES, PublicChange, Skill,
};

/// An advisory to publish.
#[derive(Debug, Clone)]
pub struct NewAdvisory {
    /// The skill, which may be removed.
    pub skill: Coordinate,
    /// The affected versions: those in any of these ranges.
    pub affected: Vec<VersionRange>,
    /// How bad it is.
    pub level: AdvisoryLevel,
    /// One line.
    pub title: String,
    /// What is wrong and what to do.
    pub text: String,
    /// The first version without it.
    pub fixed_in: Option<Version>,
}

/// An advisory to withdraw.
#[derive(Debug, Clone)]
pub struct Withdrawal {
    /// The skill.
    pub skill: Coordinate,
    /// The advisory.
    pub advisory: AdvisoryId,
    /// The reason, at most 2 KiB.
    pub reason: Option<String>,
}

/// The skill with this name, removed or not.
fn known<'a>(context: CommitContext<'a>, skill: &Coordinate) -> Result<&'a Skill, OpError> {
    let removed = context.catalog.public.removed(skill);
    removed.map_or_else(|| super::skill(context.catalog, skill), Ok)
}

/// Publishes an advisory. Also in frozen namespaces and about removed skills: people have them installed.
pub fn publish(context: CommitContext<'_>, input: &NewAdvisory) -> Result<Decision<AdvisoryId>, OpError> {
    let NewAdvisory { skill: coordinate, affected, level, title, text, fixed_in } = input;
    let skill = known(context, coordinate)?;
    let issuer = context.access().advise(&coordinate.namespace)?;
    let is_affected = |version: &Version| affected.iter().any(|range| range.contains(version));
    if affected.is_empty() || affected.len() > MAX_RANGES {
        return invalid("affected", format!("it needs 1 to {MAX_RANGES} ranges"));
    }
    if !skill.versions.iter().any(|entry| is_affected(&entry.version)) {
        let name = coordinate.scoped();
        return invalid(
            "affected",
            format!("it has no version of {name}: list the versions, and correct the range"),
        );
    }
    if let Some(fixed) = fixed_in.as_ref().filter(|version| is_affected(version)) {
        return invalid("fixedIn", format!("the version {fixed} is affected: correct it, or the range"));
    }
    check_title("title", title, MAX_ADVISORY_TITLE)?;
    if text.trim().is_empty() {
        return invalid("text", "it is empty: say what is wrong and what to do");
    }
    check_text("text", text, usize::MAX)?;
    super::check_bytes("text", text, MAX_ADVISORY_TEXT)?;
    let (name, namespace, all) =
        (coordinate.scoped(), &coordinate.namespace, context.catalog.public.advisories());
    for (what, count, max) in [
        (name, all.of_skill(coordinate).count(), MAX_ADVISORIES),
        (format!("`{namespace}`"), all.count(namespace, issuer), MAX_ADVISORIES_OF_NAMESPACE),
    ] {
        if count >= max {
            return conflict(format!("{what} has {max} advisories, which is the limit"));
        }
    }
    let published = AdvisoryPublished {
        skill: coordinate.into(),
        affected: affected.clone(),
        level: *level,
        title: title.clone(),
        text: text.clone(),
        fixed_in: fixed_in.clone(),
        issuer,
    };
    let id = AdvisoryId(Id(context.revision));
    Ok(Decision::public(PublicChange::AdvisoryPublished(Box::new(published)), id))
}

/// Withdraws an advisory. Does nothing if it is withdrawn.
pub fn withdraw(context: CommitContext<'_>, input: &Withdrawal) -> Result<Decision<()>, OpError> {
    let Withdrawal { skill, advisory: id, reason } = input;
    known(context, skill)?;
    let advisory =
        context.catalog.public.advisories().get(*id).filter(|advisory| advisory.coordinate() == *skill);
    let missing = || format!("{} has no advisory {id}: list its advisories", skill.scoped());
    let advisory = advisory.ok_or_else(|| OpError::NotFound(missing()))?;
    context.access().withdraw_advisory(&skill.namespace, advisory.published.issuer)?;
    if advisory.withdrawn.is_some() {
        return Ok(Decision::nothing(()));
    }
    let reason = reason.as_deref().filter(|reason| !reason.trim().is_empty());
    check_words("reason", reason)?;
    let (skill, reason) = (skill.into(), reason.map(str::to_owned));
    let withdrawn = AdvisoryWithdrawn { skill, advisory: *id, reason };
    Ok(Decision::public(PublicChange::AdvisoryWithdrawn(withdrawn), ()))
}
