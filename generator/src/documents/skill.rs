//! Documents about a skill as a whole.

use super::Document;
use super::kind::{Cause, Each, Kind, Shows};
use crate::address::Stage;

pub static RECORD: Kind = Kind::json("a skill", "api/v1/skills/{namespace}/{slug}.json")
    .each(Each::Skill(Document::Skill), Stage::Skill, Cause::SKILL)
    .shows_url();

pub static VERSIONS: Kind =
    Kind::json("the versions of a skill", "api/v1/skills/{namespace}/{slug}/versions.json")
        .each(Each::Skill(Document::Versions), Stage::Skill, Cause::RECORDS)
        .shows_url();

pub static LATEST: Kind =
    Kind::json("what a name resolves to", "api/v1/skills/{namespace}/{slug}/resolve.json")
        .each(Each::Skill(|c| Document::Resolve(c, None)), Stage::Pointer, Cause::VERSIONS)
        .shows(Shows::Latest)
        .shows_url();

/// For third-party clients, which ask for it with a query.
pub static SHORT_LATEST: Kind = Kind::json("what a name resolves to", "api/v1/resolve/{skill}.json")
    .each(Each::Skill(|c| Document::CompatResolve(c, None)), Stage::Pointer, Cause::VERSIONS)
    .asked()
    .shows(Shows::Latest)
    .shows_url();

pub static LATEST_PACKAGE: Kind =
    Kind::zip("the package of the latest version", "api/v1/skills/{namespace}/{slug}/download.zip")
        .each(Each::Skill(Document::LatestPackage), Stage::Pointer, Cause::VERSIONS)
        .shows(Shows::Latest);

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&LATEST_PACKAGE, &LATEST, &SHORT_LATEST, &RECORD, &VERSIONS];
