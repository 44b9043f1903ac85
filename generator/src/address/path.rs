//! Addresses of documents: the file in the tree, and the request.

use registry::names::{Coordinate, Namespace};

use super::{
    DEFAULT_SIZE, Document, Format, FoundSkills, KeywordList, Pointer, SearchPage, SkillList, agent_address,
};
use crate::gzip::MAX_PLAIN;

/// The suffix of a gzip sibling, after the document's own suffix.
pub(super) const GZIP: &str = ".gz";

impl Document {
    /// The path from the origin without the suffix. `None` for pages, assets and files of git, and for
    /// documents without a file.
    pub(super) fn stem(&self) -> Option<String> {
        let skill = |c: &Coordinate| format!("api/v1/skills/{}/{}", c.namespace, c.slug);
        Some(match self {
            Self::Package(c, version) => format!("{}/versions/{version}/download", skill(c)),
            Self::CompatPackage(c, pointer) => format!("api/v1/download/{c}/{pointer}"),
            Self::LatestPackage(c) => format!("{}/download", skill(c)),
            Self::Version(c, version) => format!("{}/versions/{version}", skill(c)),
            Self::Files(c, version) => format!("{}/versions/{version}/files", skill(c)),
            Self::Proof(c, version) => format!("{}/versions/{version}/proof", skill(c)),
            Self::Resolve(c, None) => format!("{}/resolve", skill(c)),
            Self::Resolve(c, Some(Pointer::Tag(tag))) if !tag.is_latest() => {
                format!("{}/resolve/{tag}", skill(c))
            }
            Self::CompatResolve(c, None) => format!("api/v1/resolve/{c}"),
            // Another document says the same: the one of the version, or the resolution without a
            // pointer. Third-party clients send queries, which only servers answer.
            Self::Resolve(..) | Self::CompatResolve(..) => return None,
            Self::Skill(c) => skill(c),
            Self::Versions(c) => format!("{}/versions", skill(c)),
            Self::Namespace(namespace) => format!("api/v1/namespaces/{namespace}"),
            Self::Skills => "api/v1/skills".into(),
            Self::SkillList(SkillList { namespace, sort, page, size: DEFAULT_SIZE }) => {
                let namespace = namespace.as_ref().map_or("_all", Namespace::as_str);
                format!("api/v1/skills/_list/{namespace}/{}-{page}", sort.as_str())
            }
            Self::Namespaces => "api/v1/namespaces".into(),
            Self::NamespaceList { page, size: DEFAULT_SIZE } => format!("api/v1/namespaces/_list/{page}"),
            Self::Search => "api/v1/search".into(),
            Self::SearchPage(SearchPage { q, page: 1, limit: DEFAULT_SIZE }) if is_word(q) => {
                format!("api/v1/search/_q/{q}")
            }
            Self::FoundSkills(FoundSkills { q, owner: None, limit: DEFAULT_SIZE }) if is_word(q) => {
                format!("api/search/_q/{q}")
            }
            Self::SkillList(_)
            | Self::NamespaceList { .. }
            | Self::SearchPage(_)
            | Self::FoundSkills(_)
            | Self::KeywordList(_) => return None,
            Self::SearchManifest => "api/v1/search/_index/manifest".into(),
            Self::SearchPiece(name) => format!("api/v1/search/_index/{name}"),
            Self::Discovery => ".well-known/registry".into(),
            Self::OpenApi => "api/v1/openapi".into(),
            Self::Counters(shard) => format!("api/v1/mirror/counters/{shard:02x}"),
            Self::Settings => "api/v1/mirror/settings".into(),
            Self::Feed(page) => format!("api/v1/mirror/changes/{page}"),
            Self::Head => "api/v1/mirror/head".into(),
            Self::LogTile(tile) => format!("api/v1/log/tile/{tile}"),
            Self::Checkpoint => "api/v1/log/checkpoint".into(),
            Self::EpochStatement => "api/v1/log/epoch".into(),
            Self::RegistryKeys => ".well-known/registry-key".into(),
            Self::Clawhub(document) => return document.stem(),
            // These are addressed by the name of their file.
            Self::AgentSkill(_)
            | Self::AgentSkills(_)
            | Self::Marketplace(_)
            | Self::SkillMarkdown(_)
            | Self::LlmsTxt
            | Self::Asset(_)
            | Self::Page(_)
            | Self::Git(..) => return None,
        })
    }

    /// Whether requests name the file with its suffix.
    pub(super) fn is_served_as_file(&self) -> bool {
        if let Self::Clawhub(document) = self {
            return document.is_served_as_file();
        }
        matches!(
            self,
            Self::SearchManifest
                | Self::SearchPiece(_)
                | Self::Discovery
                | Self::OpenApi
                | Self::Counters(_)
                | Self::Settings
                | Self::Feed(_)
                | Self::Head
                | Self::LogTile(_)
                | Self::Checkpoint
                | Self::EpochStatement
                | Self::RegistryKeys
                | Self::AgentSkill(_)
                | Self::AgentSkills(_)
                | Self::Marketplace(_)
                | Self::SkillMarkdown(_)
                | Self::LlmsTxt
                | Self::Asset(_)
        )
    }

    /// The file in the tree: a relative path with `/`. `None` for an answer to a query that cannot
    /// be a path: no tree has it.
    pub fn file(&self) -> Option<String> {
        match self {
            Self::Page(page) => Some(page.file()),
            Self::Asset(asset) => Some(asset.file()),
            Self::Git(c, file) => Some(file.file(c)),
            _ => agent_address::file(self).or_else(|| self.stem().map(|stem| stem + self.format().suffix())),
        }
    }

    /// The name for messages: the file, or else the request.
    pub fn name(&self) -> String {
        self.file().unwrap_or_else(|| self.request())
    }

    /// Whether `length` bytes of it are worth compressing when they are sent. Packages and index
    /// files are dense already.
    pub fn is_worth_compressing(&self, length: u64) -> bool {
        self.format().is_text() && length > MAX_PLAIN
    }

    /// Whether it has a gzip sibling if it has `length` bytes. Smaller documents have none, because
    /// hosts compress them fast as they send them. Lists and marketplaces have none, because they change with
    /// every write.
    pub fn has_sibling(&self, length: u64) -> bool {
        self.may_have_sibling() && length > 16 << 10
    }

    fn may_have_sibling(&self) -> bool {
        // Readers of Markdown rarely accept gzip.
        let changes_often = self.is_list() || matches!(self, Self::Marketplace(_));
        self.format().is_text() && !changes_often && self.format() != Format::Markdown
    }

    /// The file of its gzip sibling. `None` if it never has one.
    pub fn gzip_file(&self) -> Option<String> {
        let file = self.file().filter(|_| self.may_have_sibling());
        file.map(|file| file + GZIP)
    }

    /// The path and query that request it from the server.
    pub fn request(&self) -> String {
        let resolve = |c: &Coordinate| format!("/api/v1/skills/{}/{}/resolve", c.namespace, c.slug);
        match self {
            Self::Resolve(c, Some(Pointer::Version(version))) => format!("{}?version={version}", resolve(c)),
            Self::Resolve(c, Some(Pointer::Tag(tag))) => format!("{}?tag={tag}", resolve(c)),
            Self::CompatResolve(c, None) => format!("/api/v1/resolve?slug={c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("/api/v1/resolve?slug={c}&version={pointer}"),
            Self::SkillList(list) if *list != SkillList::default_page() => {
                let SkillList { namespace, sort, page, size } = list;
                let namespace = namespace_parameter(namespace.as_ref());
                format!("/api/v1/skills?{namespace}sort={}&page={page}&size={size}", sort.as_str())
            }
            Self::KeywordList(KeywordList { keyword, namespace, sort, page, size }) => {
                let (keyword, namespace) = (encode(keyword), namespace_parameter(namespace.as_ref()));
                let sort = sort.map(|sort| format!("sort={}&", sort.as_str())).unwrap_or_default();
                format!("/api/v1/skills?keyword={keyword}&{namespace}{sort}page={page}&size={size}")
            }
            Self::NamespaceList { page, size } if (*page, *size) != (1, DEFAULT_SIZE) => {
                format!("/api/v1/namespaces?page={page}&size={size}")
            }
            Self::SearchPage(SearchPage { q, page, limit }) => {
                format!("/api/v1/search?q={}&page={page}&limit={limit}", encode(q))
            }
            Self::FoundSkills(FoundSkills { q, owner, limit }) => {
                let owner = owner.as_ref().map(|owner| format!("&owner={owner}")).unwrap_or_default();
                format!("/api/search?q={}&limit={limit}{owner}", encode(q))
            }
            Self::Page(page) => page.request(),
            Self::Git(c, file) => file.request(c),
            _ => {
                let path = if self.is_served_as_file() { self.file() } else { self.stem() };
                format!("/{}", path.unwrap_or_default())
            }
        }
    }
}

/// The query's `namespace` parameter.
fn namespace_parameter(namespace: Option<&Namespace>) -> String {
    namespace.map(|name| format!("namespace={name}&")).unwrap_or_default()
}

/// Encodes a value of a query like a form.
fn encode(text: &str) -> String {
    form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Whether a query can be a path segment: one word of Latin letters and digits, at most 64 bytes.
fn is_word(q: &str) -> bool {
    (1..=64).contains(&q.len()) && q.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9'))
}
