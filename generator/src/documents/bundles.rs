//! Bundles of a namespace. `+` is in no slug, so no skill has these addresses.

use super::Document;
use super::kind::{Cause, Each, Kind, Needs};
use crate::address::{Format, Stage};

/// A bundle, or a member of it, changed.
const CHANGED: &[Cause] = &[Cause::Bundle];

/// The record of a bundle. Its page refers to it.
pub static RECORD: Kind = Kind::json("a bundle", "api/v1/bundles/{namespace}/{bundle}.json")
    .each(Each::Bundle(Document::Bundle), Stage::Namespace, CHANGED)
    .may_lag();

/// The bundles of a namespace, if it has some.
pub static LIST: Kind = Kind::json("the bundles of a namespace", "api/v1/bundles/{namespace}.json")
    .each(Each::Namespace(Document::Bundles), Stage::List, CHANGED)
    .needs(Needs::Bundles)
    .may_lag();

/// The index from which `npx skills` installs the members.
pub static AGENT_SKILLS: Kind = Kind::file(
    "an index for npx skills",
    "{namespace}/+{bundle}/.well-known/agent-skills/index.json",
    Format::Json,
)
.each(Each::Bundle(Document::BundleSkills), Stage::List, CHANGED)
.needs(Needs::BundleSkills)
.may_lag();

pub static MARKETPLACE: Kind = Kind::file(
    "a marketplace for Claude Code",
    "{namespace}/+{bundle}/.claude-plugin/marketplace.json",
    Format::Json,
)
.each(Each::Bundle(Document::BundleMarketplace), Stage::List, CHANGED)
.needs(Needs::Marketplace)
.may_lag()
.shows_url();

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[&RECORD, &LIST, &AGENT_SKILLS, &MARKETPLACE];
