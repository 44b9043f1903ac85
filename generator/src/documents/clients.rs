//! Documents for agents and for clients that others made. Each is where its readers look for it, outside
//! of the API. `docs/clients.md` says which reads what.

use super::Document;
use super::kind::{Cause, Each, Kind, Needs, Shows};
use crate::address::{Format, Stage};

/// The index from which `npx skills` installs a skill. Each skill has its own. The root of the site has no
/// index: `npx skills` would download every skill in it, and would refuse the addresses of single packages.
pub static AGENT_SKILL: Kind = Kind::file(
    "an index for npx skills",
    "{namespace}/{slug}/.well-known/agent-skills/index.json",
    Format::Json,
)
.each(Each::Skill(Document::AgentSkill), Stage::Pointer, Cause::VERSIONS)
.shows(Shows::Latest);

/// `SKILL.md` of the latest version, byte for byte. The second address is that of [`RAW_SKILLS`].
pub static ENTRY_FILE: Kind =
    Kind::file("the SKILL.md of a skill", "{namespace}/{slug}/SKILL.md", Format::Markdown)
        .each(Each::Skill(Document::EntryFile), Stage::SkillMarkdown, Cause::VERSIONS)
        .shows(Shows::Latest)
        .alias("{namespace}/.well-known/skills/{slug}/SKILL.md");

/// The index from which OpenCode loads a skill. Only servers answer it and the files that it names, because a tree has
/// few files for each skill.
pub static RAW_SKILL: Kind =
    Kind::file("an index for OpenCode", "{namespace}/{slug}/.well-known/skills/index.json", Format::Json)
        .each(Each::Skill(Document::RawSkill), Stage::Pointer, &[])
        .shows(Shows::Latest)
        .needs(Needs::Server);

/// The index from which OpenCode loads the skills of a namespace. A host of files has the `SKILL.md` of each.
pub static RAW_SKILLS: Kind =
    Kind::file("an index for OpenCode", "{namespace}/.well-known/skills/index.json", Format::Json)
        .each(Each::Namespace(Document::RawSkills), Stage::List, INSTALLED)
        .needs(Needs::AgentSkills);

/// The versions of a skill for `apm`. It asks for a package at an address below this one, which is another one of
/// the package of a version.
pub static APM_VERSIONS: Kind = Kind::json(
    "the versions for apm",
    "api/apm/v1/packages/{namespace}/{slug}/versions.json",
)
.each(Each::Skill(Document::ApmVersions), Stage::Skill, Cause::VERSIONS);

/// The index from which `npx skills` installs the skills of a namespace.
pub static AGENT_SKILLS: Kind =
    Kind::file("an index for npx skills", "{namespace}/.well-known/agent-skills/index.json", Format::Json)
        .each(Each::Namespace(Document::AgentSkills), Stage::List, INSTALLED)
        .needs(Needs::AgentSkills);

/// Of all skills. It may not lag, because it is too long to be made for each request.
pub static MARKETPLACE: Kind =
    Kind::file("a marketplace for Claude Code", ".claude-plugin/marketplace.json", Format::Json)
        .each(Each::Once(|| Document::Marketplace(None)), Stage::List, INSTALLED)
        .needs(Needs::Marketplace)
        .shows_url();

pub static NAMESPACE_MARKETPLACE: Kind =
    Kind::file("a marketplace for Claude Code", "{namespace}/.claude-plugin/marketplace.json", Format::Json)
        .each(Each::Namespace(|name| Document::Marketplace(Some(name))), Stage::List, INSTALLED)
        .needs(Needs::Marketplace)
        .shows_url();

pub static SKILL_MARKDOWN: Kind =
    Kind::file("a skill in Markdown", "{namespace}/{slug}/index.md", Format::Markdown)
        .each(Each::Skill(Document::SkillMarkdown), Stage::SkillMarkdown, Cause::VERSIONS)
        .shows(Shows::Display)
        .shows_url();

/// llmstxt.org.
pub static LLMS_TXT: Kind = Kind::file("the text for agents", "llms.txt", Format::Text)
    .each(Each::Once(|| Document::LlmsTxt), Stage::List, &[])
    .shows_url();

/// These show no counters, tags or people, and have the skills that changed last.
const INSTALLED: &[Cause] =
    &[Cause::Published, Cause::Yanked, Cause::Removed, Cause::Author, Cause::NamespaceUpdated];

/// All kinds of this family.
pub static KINDS: &[&Kind] = &[
    &AGENT_SKILL,
    &ENTRY_FILE,
    &RAW_SKILL,
    &RAW_SKILLS,
    &APM_VERSIONS,
    &AGENT_SKILLS,
    &MARKETPLACE,
    &NAMESPACE_MARKETPLACE,
    &SKILL_MARKDOWN,
    &LLMS_TXT,
];
