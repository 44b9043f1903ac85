//! Advisories: the list of each skill, which outlives it, and files of the OSV schema.

use super::Document;
use super::kind::{Cause, Each, Kind, Needs, coordinate};
use crate::address::{Format, Stage};

/// Only skills that have had advisories, also removed ones.
pub static OF_SKILL: Kind =
    Kind::json("the advisories of a skill", "api/v1/skills/{namespace}/{slug}/advisories.json")
        .each(Each::Values(|at| Some(Document::SkillAdvisories(coordinate(at)?))), Stage::Skill, &[])
        .needs(Needs::Advisory);

pub static OSV: Kind = Kind::file("an advisory", "advisories/osv/x_{advisory}.json", Format::Json)
    .each(Each::Values(|at| Some(Document::Advisory(at.first()?.parse().ok()?))), Stage::Version, &[])
    .needs(Needs::Advisory)
    .shows_url();

/// The last changed ones, with the time of the change.
pub static INDEX: Kind = Kind::file("the last changed advisories", "advisories/osv/index.json", Format::Json)
    .each(Each::Once(|| Document::AdvisoryIndex), Stage::List, &[Cause::Advisory])
    .may_lag();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&OF_SKILL, &OSV, &INDEX];
