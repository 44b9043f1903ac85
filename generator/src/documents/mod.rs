//! The table of documents: a row for everything that the public can fetch.
//!
//! All facts about a kind of document are one value, a [`Kind`] in the file of its family. [`Document`]
//! names the documents, and [`Document::kind_and_subject`] finds their kinds. `address` and `plan` ask these, and
//! name no kind of document themselves. `render` makes the content.

mod advisories;
mod asked;
mod asset;
mod atom;
mod bundles;
mod cause;
mod clawhub;
#[cfg(feature = "writer")]
pub(crate) mod client_lists;
mod clients;
mod crawlers;
#[cfg(feature = "writer")]
mod existing;
mod feed;
mod git;
#[cfg(feature = "writer")]
pub(crate) mod groups;
pub(crate) mod kind;
#[cfg(feature = "writer")]
pub(crate) mod list_pages;
mod lists;
mod needs;
mod pages;
mod prefix;
mod registry_facts;
mod search;
mod signed_in;
mod skill;
mod subject;
mod version;

use std::collections::BTreeSet;

use registry::names::{BundleName, Coordinate, Namespace, Version};
use registry::public::AdvisoryId;
pub use registry::transparency_log::LogTile;

use self::kind::Kind;
pub(crate) use self::subject::Subject;
use crate::address::{DEFAULT_SIZE, Stage};
use crate::pages::assets::AssetPath;
use crate::search::PieceName;

pub(crate) use asked::{QUESTIONS, Question};
pub(crate) use asset::format_of;
pub use atom::AtomFeed;
pub use clawhub::ClawhubDocument;
pub use crawlers::{CrawlerFile, Initial};
#[cfg(feature = "writer")]
pub use existing::{Part, documents, exists, of_part, parts};
#[cfg(feature = "writer")]
pub(crate) use existing::{outdated_by, subjects_of};
pub use git::{GitFile, RepositoryName};
pub use lists::{KeywordList, SkillList};
pub use pages::WebPage;
pub use prefix::Prefix;
pub use search::{FoundSkills, SearchPage};
pub use signed_in::SignedInPage;
pub use version::Pointer;

/// The kinds of all families. Of two whose paths may be alike, the first counts.
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    let families = [
        version::KINDS,
        skill::KINDS,
        git::KINDS,
        lists::KINDS,
        bundles::KINDS,
        search::KINDS,
        clients::KINDS,
        atom::KINDS,
        crawlers::KINDS,
        registry_facts::KINDS,
        feed::KINDS,
        advisories::KINDS,
        clawhub::KINDS,
        pages::KINDS,
        asset::KINDS,
    ];
    families.into_iter().flatten().copied()
}

/// The stages of all documents, in order.
pub fn stages() -> BTreeSet<Stage> {
    kinds().map(|kind| kind.stage).collect()
}

/// A document: anything that the public can fetch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Document {
    /// A version's package.
    Package(Coordinate, Version),
    /// A version's package, at the address that third-party clients use.
    CompatPackage(Coordinate, Pointer),
    /// The package of the latest version.
    LatestPackage(Coordinate),
    /// A version and its front matter.
    Version(Coordinate, Version),
    /// The list of a version's files.
    Files(Coordinate, Version),
    /// The attestation of a version, a Sigstore bundle.
    Attestation(Coordinate, Version),
    /// The proof that the transparency log has the version.
    Proof(Coordinate, Version),
    /// The version, digest and download of a skill: those of the latest version by default.
    Resolve(Coordinate, Option<Pointer>),
    /// The resolution of a skill for third-party clients.
    CompatResolve(Coordinate, Option<Pointer>),
    /// A skill.
    Skill(Coordinate),
    /// The list of a skill's versions.
    Versions(Coordinate),
    /// The advisories of a skill, removed or not.
    SkillAdvisories(Coordinate),
    /// An advisory after the OSV schema.
    Advisory(AdvisoryId),
    /// The last changed advisories.
    AdvisoryIndex,
    /// A response of a git repository.
    Git(RepositoryName, GitFile),
    /// A namespace.
    Namespace(Namespace),
    /// A bundle.
    Bundle(BundleName),
    /// The bundles of a namespace.
    Bundles(Namespace),
    /// The index from which `npx skills` installs a bundle.
    BundleSkills(BundleName),
    /// The skills of a bundle, for Claude Code.
    BundleMarketplace(BundleName),
    /// The default list of skills.
    Skills,
    /// A page of a list of skills.
    SkillList(SkillList),
    /// The default list of namespaces.
    Namespaces,
    /// A page of the list of namespaces.
    NamespaceList {
        /// The page number, from 1.
        page: u64,
        /// How many namespaces a page has, 1 to 100.
        size: u64,
    },
    /// The most recently updated skills, in the form of search results.
    Search,
    /// A page of search results.
    SearchPage(SearchPage),
    /// A page of the skills that match a keyword.
    KeywordList(KeywordList),
    /// The list of the search index's current pieces.
    SearchManifest,
    /// A piece of the search index.
    SearchPiece(PieceName),
    /// Search results in the form that `npx skills find` reads.
    FoundSkills(FoundSkills),
    /// The index from which `npx skills` installs a skill.
    AgentSkill(Coordinate),
    /// The `SKILL.md` of a skill.
    EntryFile(Coordinate),
    /// The index from which OpenCode loads a skill.
    RawSkill(Coordinate),
    /// The index from which OpenCode loads the skills of a namespace.
    RawSkills(Namespace),
    /// A feed of new versions.
    Atom(AtomFeed),
    /// The versions of a skill for apm.
    ApmVersions(Coordinate),
    /// The index from which `npx skills` installs the skills of a namespace.
    AgentSkills(Namespace),
    /// The skills of a namespace, or of all, for Claude Code.
    Marketplace(Option<Namespace>),
    /// A skill in Markdown, for agents.
    SkillMarkdown(Coordinate),
    /// What this site is and how to use it, for agents.
    LlmsTxt,
    /// The API's base path, for clients.
    Discovery,
    /// The OpenAPI description.
    OpenApi,
    /// A shard of the published counters.
    Counters(u8),
    /// The settings that the tree depends on.
    Settings,
    /// A page of the mirror feed.
    Feed(u64),
    /// A tile of the transparency log.
    LogTile(LogTile),
    /// The signed size and root of the transparency log.
    Checkpoint,
    /// What is signed about the epoch, if a backup was restored.
    EpochStatement,
    /// The keys that sign checkpoints.
    RegistryKeys,
    /// The revision up to which the tree is complete.
    Head,
    /// A document of the ClawHub dialect.
    Clawhub(ClawhubDocument),
    /// A file for search engines or browsers.
    Crawlers(CrawlerFile),
    /// A file that pages load.
    Asset(AssetPath),
    /// A page for browsers.
    Page(WebPage),
}

impl Document {
    /// The kind of a document, and the values in its address.
    pub(crate) fn kind_and_subject(&self) -> (&'static Kind, Subject<'_>) {
        match self {
            Self::Package(c, version) => (&version::PACKAGE, Subject::Version(c, version)),
            Self::CompatPackage(c, Pointer::Version(version)) => {
                (&version::SHORT_PACKAGE, Subject::Version(c, version))
            }
            Self::CompatPackage(c, Pointer::Tag(tag)) => (&version::TAGGED_PACKAGE, Subject::Tag(c, tag)),
            Self::LatestPackage(c) => (&skill::LATEST_PACKAGE, Subject::Skill(c)),
            Self::Version(c, version) => (&version::RECORD, Subject::Version(c, version)),
            Self::Files(c, version) => (&version::FILES, Subject::Version(c, version)),
            Self::Attestation(c, version) => (&version::ATTESTATION, Subject::Version(c, version)),
            Self::Proof(c, version) => (&version::PROOF, Subject::Version(c, version)),
            Self::Resolve(c, None) => (&skill::LATEST, Subject::Skill(c)),
            Self::CompatResolve(c, None) => (&skill::SHORT_LATEST, Subject::Skill(c)),
            Self::Resolve(c, Some(Pointer::Tag(tag))) if !tag.is_latest() => {
                (&version::TAGGED, Subject::Tag(c, tag))
            }
            Self::Resolve(c, Some(pointer)) | Self::CompatResolve(c, Some(pointer)) => match pointer {
                Pointer::Version(_) => (&version::ASKED, pointer.subject(c)),
                Pointer::Tag(_) => (&version::ASKED_TAG, pointer.subject(c)),
            },
            Self::Skill(c) => (&skill::RECORD, Subject::Skill(c)),
            Self::Versions(c) => (&skill::VERSIONS, Subject::Skill(c)),
            Self::SkillAdvisories(c) => (&advisories::OF_SKILL, Subject::Skill(c)),
            Self::Advisory(id) => (&advisories::OSV, Subject::Named(id)),
            Self::AdvisoryIndex => (&advisories::INDEX, Subject::Registry),
            Self::Git(name, file) => name.kind_and_subject(*file),
            Self::Namespace(name) => (&lists::NAMESPACE, Subject::Namespace(name)),
            Self::Bundle(name) => (&bundles::RECORD, Subject::Bundle(name)),
            Self::Bundles(name) => (&bundles::LIST, Subject::Namespace(name)),
            Self::BundleSkills(name) => (&bundles::AGENT_SKILLS, Subject::Bundle(name)),
            Self::BundleMarketplace(name) => (&bundles::MARKETPLACE, Subject::Bundle(name)),
            Self::Skills => (&lists::SKILLS, Subject::Registry),
            Self::SkillList(SkillList { namespace, sort, page, size }) => {
                let kind = match namespace {
                    _ if *size != DEFAULT_SIZE => &lists::ASKED_SKILLS,
                    Some(_) => &lists::NAMESPACE_SKILL_PAGE,
                    None => &lists::SKILL_PAGE,
                };
                (kind, Subject::Page { namespace: namespace.as_ref(), sort: Some(*sort), page: *page })
            }
            Self::KeywordList(_) => (&lists::ASKED_SKILLS, Subject::Registry),
            Self::Namespaces => (&lists::NAMESPACES, Subject::Registry),
            Self::NamespaceList { page, size: DEFAULT_SIZE } => {
                (&lists::NAMESPACE_PAGE, Subject::page(None, *page))
            }
            Self::NamespaceList { page, .. } => (&lists::ASKED_NAMESPACES, Subject::page(None, *page)),
            Self::Search => (&search::LATEST, Subject::Registry),
            Self::SearchPage(asked) if asked.has_file() => (&search::WORD, Subject::Query(&asked.q)),
            Self::SearchPage(_) => (&search::ASKED, Subject::Registry),
            Self::FoundSkills(asked) if asked.has_file() => (&search::FOUND_WORD, Subject::Query(&asked.q)),
            Self::FoundSkills(_) => (&search::ASKED_FOUND, Subject::Registry),
            Self::SearchManifest => (&search::MANIFEST, Subject::Registry),
            Self::SearchPiece(name) => (&search::PIECE, Subject::Named(name)),
            Self::AgentSkill(c) => (&clients::AGENT_SKILL, Subject::Skill(c)),
            Self::EntryFile(c) => (&clients::ENTRY_FILE, Subject::Skill(c)),
            Self::RawSkill(c) => (&clients::RAW_SKILL, Subject::Skill(c)),
            Self::RawSkills(name) => (&clients::RAW_SKILLS, Subject::Namespace(name)),
            Self::Atom(feed) => feed.kind_and_subject(),
            Self::ApmVersions(c) => (&clients::APM_VERSIONS, Subject::Skill(c)),
            Self::AgentSkills(name) => (&clients::AGENT_SKILLS, Subject::Namespace(name)),
            Self::Marketplace(None) => (&clients::MARKETPLACE, Subject::Registry),
            Self::Marketplace(Some(name)) => (&clients::NAMESPACE_MARKETPLACE, Subject::Namespace(name)),
            Self::SkillMarkdown(c) => (&clients::SKILL_MARKDOWN, Subject::Skill(c)),
            Self::LlmsTxt => (&clients::LLMS_TXT, Subject::Registry),
            Self::Discovery => (&registry_facts::DISCOVERY, Subject::Registry),
            Self::OpenApi => (&registry_facts::OPENAPI, Subject::Registry),
            Self::Settings => (&registry_facts::SETTINGS, Subject::Registry),
            Self::RegistryKeys => (&registry_facts::KEYS, Subject::Registry),
            Self::Counters(shard) => (&feed::COUNTERS, Subject::Byte(*shard)),
            Self::Feed(page) => (&feed::PAGE, Subject::Number(*page)),
            Self::LogTile(tile) if tile.is_full() => (&feed::TILE, Subject::Named(tile)),
            Self::LogTile(tile) => (&feed::PARTIAL_TILE, Subject::Named(tile)),
            Self::Checkpoint => (&feed::CHECKPOINT, Subject::Registry),
            Self::EpochStatement => (&feed::EPOCH_STATEMENT, Subject::Registry),
            Self::Head => (&feed::HEAD, Subject::Registry),
            Self::Clawhub(document) => (document.kind(), document.subject()),
            Self::Crawlers(file) => (file.kind(), file.subject()),
            Self::Page(page) => page.kind(),
            Self::Asset(asset) => (&asset::ASSET, Subject::Named(asset)),
        }
    }
}
