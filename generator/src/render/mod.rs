//! Renders documents: from the public catalog to bytes.
//!
//! Rendering is pure, so the tree, the server's answers and every mirror have the same bytes.

pub(crate) mod advisories;
pub(crate) mod atom;
pub mod clawhub;
pub(crate) mod clients;
pub(crate) mod crawlers;
pub(crate) mod feed;
pub(crate) mod lists;
pub(crate) mod log;
pub mod pages;
pub(crate) mod search;
pub(crate) mod skills;

pub use clients::FoundSkillList;

use std::io;
use std::sync::Arc;

use registry::api::public::BundleRecord;
use registry::journal::{JournalError, PublicStore};
use registry::names::Digest;
use registry::package::OpenArchive;

pub use self::skills::file_of;
pub use crate::context::RenderContext;

use crate::address::{DEFAULT_SIZE, Document, GitFile, RepositoryName, SearchPage, SkillList};
use crate::blobs::open_blob;
use crate::git::Repository;
use crate::json::json;
use crate::pages::PageError;
use pages::Page;

/// A rendered document.
#[derive(Debug, Clone)]
pub enum Rendered {
    /// The document's bytes.
    Bytes(Vec<u8>),
    /// A piece of the search index, sharing its bytes with the index.
    Piece(Arc<[u8]>),
    /// A package in the blob store.
    Package(Package),
    /// A page that must be finished after the catalog is unlocked.
    Page(Box<Page>),
    /// A file of a package, which must be read after the catalog is unlocked.
    File(PackageFile),
    /// A file of a repository, which must be made from the package after the catalog is unlocked.
    Git(Box<Repository>, GitFile),
}

impl From<Page> for Rendered {
    fn from(page: Page) -> Self {
        Self::Page(Box::new(page))
    }
}

impl Rendered {
    /// Finishes pages and files of git; returns other documents unchanged. Call it after the catalog
    /// is unlocked.
    pub fn finished(self, store: &dyn PublicStore) -> Result<Self, RenderError> {
        match self {
            Self::Page(page) => page.finish(store).map(Self::Bytes),
            Self::File(file) => file.read(store).map(Self::Bytes).map_err(RenderError::Package),
            Self::Git(repository, file) => {
                repository.render(file, store).map(Self::Bytes).map_err(RenderError::Package)
            }
            other => Ok(other),
        }
    }
}

/// A file of a package in the blob store.
#[derive(Debug, Clone)]
pub struct PackageFile {
    package: Digest,
    path: String,
    size: u64,
}

impl PackageFile {
    /// Reads the file. It is empty if the package has another one than the row says: nobody compares all files of a
    /// mirror's source, and one wrong row must not stop a mirror.
    ///
    /// Errors: the package is missing or cannot be read.
    pub fn read(&self, store: &dyn PublicStore) -> io::Result<Vec<u8>> {
        let file = OpenArchive::open(open_blob(store, self.package)?)?.read(&self.path, self.size);
        let file = match file {
            Err(why) if why.kind() == io::ErrorKind::InvalidData => return Ok(Vec::new()),
            file => file?,
        };
        file.ok_or_else(|| {
            io::Error::new(io::ErrorKind::NotFound, format!("the package has no {}", self.path))
        })
    }
}

/// A package in the blob store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Package {
    /// The sha256 of the package.
    pub sha256: Digest,
    /// The size in bytes.
    pub size: u64,
    /// The document at the package's immutable address, which may be the rendered one.
    pub home: Document,
}

/// A document cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The journal cannot be read.
    #[error(transparent)]
    Store(#[from] JournalError),
    /// A row cannot be decoded.
    #[error(transparent)]
    Row(#[from] registry::public::DecodeError),
    /// The journal lacks a row that the catalog was built from.
    #[error("revision {0} has no public row, though the catalog was made from it")]
    Missing(u64),
    /// The package that a document shows cannot be read.
    #[error("a package cannot be read")]
    Package(#[source] io::Error),
    /// A page's template and content do not match.
    #[error(transparent)]
    Page(#[from] PageError),
}

/// Renders a document. Returns `None` if the registry has nothing of that name.
pub fn render(context: RenderContext<'_>, document: &Document) -> Result<Option<Rendered>, RenderError> {
    let catalog = context.catalog;
    let bytes = match document {
        Document::Package(..)
        | Document::CompatPackage(..)
        | Document::LatestPackage(_)
        | Document::Version(..)
        | Document::Files(..)
        | Document::Attestation(..)
        | Document::Resolve(..)
        | Document::CompatResolve(..) => {
            let Some((skill, entry)) = document.entry(catalog) else { return Ok(None) };
            return skills::of_version(context, document, skill, entry);
        }
        Document::Git(name, file) => {
            let repository = match name {
                RepositoryName::Skill(_) => {
                    document.entry(catalog).and_then(|(skill, entry)| Repository::of(skill, entry))
                }
                RepositoryName::Namespace(name) => clients::repository(context, name),
                RepositoryName::Bundle(name) => clients::bundle_repository(context, name),
            };
            return Ok(repository.map(|repository| Rendered::Git(Box::new(repository), *file)));
        }
        Document::Proof(..) => log::proof(context, document)?,
        Document::Skill(c) => skills::skill(context, c),
        Document::Versions(c) => skills::versions(context, c),
        Document::SkillAdvisories(c) => advisories::of_skill(context, c),
        Document::Advisory(id) => {
            catalog.advisories().get(*id).map(|advisory| advisories::osv(context, advisory))
        }
        Document::AdvisoryIndex => Some(advisories::index(context)),
        Document::Namespace(name) => lists::namespace(catalog, name),
        Document::Bundle(name) => catalog.bundle(name).map(|entry| json(&BundleRecord::new(catalog, entry))),
        Document::Bundles(name) => lists::bundles(catalog, name),
        Document::BundleSkills(name) => clients::of_bundle(catalog, name),
        Document::BundleMarketplace(name) => clients::bundle_marketplace(context, name),
        Document::Skills => Some(lists::skills(context, &SkillList::default_page())),
        Document::SkillList(list) => Some(lists::skills(context, list)),
        Document::Namespaces => Some(lists::namespaces(context, 1, DEFAULT_SIZE)),
        Document::NamespaceList { page, size } => Some(lists::namespaces(context, *page, *size)),
        Document::Search => Some(search::page(context, &SearchPage::default_page())),
        Document::SearchPage(page) => Some(search::page(context, page)),
        Document::KeywordList(list) => Some(search::keyword(context, list)),
        Document::SearchManifest => Some(context.search.current(catalog).manifest().encode()),
        Document::SearchPiece(name) => {
            return Ok(context.search.current(catalog).piece(*name).map(Rendered::Piece));
        }
        Document::FoundSkills(asked) => clients::found_skills(context, asked),
        Document::AgentSkill(_) => {
            document.entry(catalog).map(|(skill, latest)| clients::of_skill(skill, latest))
        }
        Document::EntryFile(_) => {
            let Some((_, entry)) = document.entry(catalog) else { return Ok(None) };
            return skills::entry_file(context, entry);
        }
        Document::RawSkill(_) => {
            let found = document.entry(catalog);
            found.map(|(skill, latest)| clients::raw_files::of_skill(context, skill, latest)).transpose()?
        }
        Document::RawSkills(name) => clients::raw_files::of_namespace(context, name)?,
        Document::Atom(feed) => return Ok(atom::feed(context, feed).map(Rendered::from)),
        Document::ApmVersions(c) => catalog.skill(c).map(clients::apm::versions),
        Document::AgentSkills(name) => clients::of_namespace(catalog, name),
        Document::Marketplace(name) => clients::marketplace(context, name.as_ref()),
        Document::LlmsTxt => Some(clients::llms_txt(context.settings)?),
        Document::SkillMarkdown(c) => return Ok(pages::markdown(context, c)?.map(Rendered::from)),
        Document::Discovery => Some(json(&registry::api::public::Discovery {
            api_base: format!("{}/api/v1", context.settings.path()),
            reads: context.settings.reads,
        })),
        Document::OpenApi => Some(crate::openapi::document(context.settings)),
        Document::Counters(shard) => Some(feed::counters(catalog, *shard)),
        Document::Settings => Some(context.settings.to_json()),
        Document::Feed(page) => feed::page(context, *page)?,
        Document::Head => Some(feed::head(context)),
        Document::LogTile(tile) => log::tile(context, *tile)?,
        Document::Checkpoint => context.signing.checkpoint(catalog.log()).map(String::into_bytes),
        Document::EpochStatement => context.signing.statement(catalog).map(String::into_bytes),
        Document::RegistryKeys => Some(log::keys(context)),
        Document::Clawhub(asked) => clawhub::document(context, asked),
        Document::Crawlers(file) => return Ok(crawlers::file(context, file).map(Rendered::from)),
        Document::Asset(path) => context.settings.site.assets().find(*path).map(|asset| asset.bytes.to_vec()),
        Document::Page(page) => return Ok(pages::page(context, page)?.map(Rendered::from)),
    };
    Ok(bytes.map(Rendered::Bytes))
}
