//! Where a document is: its file, and the request that asks for it.

use registry::names::{Coordinate, Namespace};

use super::{DEFAULT_SIZE, Document, Format, Pointer, SkillList};

/// What a compressed form's file has behind the document's own suffix.
pub(super) const GZIP: &str = ".gz";

impl Document {
    /// Its path relative to the origin, without suffix where one is appended.
    pub(super) fn stem(&self) -> String {
        let skill = |c: &Coordinate| format!("api/v1/skills/{}/{}", c.namespace, c.slug);
        match self {
            Self::Package(c, version) => format!("{}/versions/{version}/download", skill(c)),
            Self::CompatPackage(c, pointer) => format!("api/v1/download/{c}/{pointer}"),
            Self::LatestPackage(c) => format!("{}/download", skill(c)),
            Self::Version(c, version) => format!("{}/versions/{version}", skill(c)),
            Self::Files(c, version) => format!("{}/versions/{version}/files", skill(c)),
            Self::Resolve(c, None) => format!("{}/resolve", skill(c)),
            Self::Resolve(c, Some(Pointer::Version(version))) => {
                format!("{}/resolve/_version/{version}", skill(c))
            }
            Self::Resolve(c, Some(Pointer::Tag(tag))) => format!("{}/resolve/_tag/{tag}", skill(c)),
            Self::CompatResolve(c, None) => format!("api/v1/resolve/{c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("api/v1/resolve/{c}/{pointer}"),
            Self::Skill(c) => skill(c),
            Self::Versions(c) => format!("{}/versions", skill(c)),
            Self::Namespace(namespace) => format!("api/v1/namespaces/{namespace}"),
            Self::Skills => "api/v1/skills".into(),
            Self::SkillList(SkillList { namespace, sort, page, size }) => {
                let namespace = namespace.as_ref().map_or("_all", Namespace::as_str);
                format!("api/v1/skills/_list/{namespace}/{}/{size}/{page}", sort.as_str())
            }
            Self::Namespaces => "api/v1/namespaces".into(),
            Self::NamespaceList { page, size } => format!("api/v1/namespaces/_list/{size}/{page}"),
            Self::Discovery => ".well-known/registry".into(),
            Self::OpenApi => "api/v1/openapi".into(),
            Self::Counters(shard) => format!("api/v1/mirror/counters/{shard:02x}"),
            Self::Settings => "api/v1/mirror/settings".into(),
            Self::Feed(page) => format!("api/v1/mirror/changes/{page}"),
            Self::Head => "api/v1/mirror/head".into(),
        }
    }

    /// Whether the path is served as it is, suffix and all.
    pub(super) fn is_served_as_file(&self) -> bool {
        matches!(
            self,
            Self::Discovery | Self::OpenApi | Self::Counters(_) | Self::Settings | Self::Feed(_) | Self::Head
        )
    }

    /// Its file in the tree: a relative path with `/`.
    pub fn file(&self) -> String {
        self.stem() + self.format().suffix()
    }

    /// Whether that many bytes of it are worth a compressed form: those of
    /// packages are compressed as they are, and up to 1 KiB is one packet on the
    /// wire either way.
    pub fn is_worth_compressing(&self, length: u64) -> bool {
        self.format() == Format::Json && length > 1024
    }

    /// The file of its compressed form, beside the other. None for packages.
    pub fn gzip_file(&self) -> Option<String> {
        (self.format() == Format::Json).then(|| self.file() + GZIP)
    }

    /// How the API asks for it: a path from the origin, with its query.
    pub fn request(&self) -> String {
        match self {
            Self::Resolve(c, Some(Pointer::Version(version))) => {
                format!("/{}?version={version}", Self::Resolve(c.clone(), None).stem())
            }
            Self::Resolve(c, Some(Pointer::Tag(tag))) => {
                format!("/{}?tag={tag}", Self::Resolve(c.clone(), None).stem())
            }
            Self::CompatResolve(c, None) => format!("/api/v1/resolve?slug={c}"),
            Self::CompatResolve(c, Some(pointer)) => format!("/api/v1/resolve?slug={c}&version={pointer}"),
            Self::SkillList(list) if *list != SkillList::default_page() => {
                let SkillList { namespace, sort, page, size } = list;
                let namespace =
                    namespace.as_ref().map(|name| format!("namespace={name}&")).unwrap_or_default();
                format!("/api/v1/skills?{namespace}sort={}&page={page}&size={size}", sort.as_str())
            }
            Self::NamespaceList { page, size } if (*page, *size) != (1, DEFAULT_SIZE) => {
                format!("/api/v1/namespaces?page={page}&size={size}")
            }
            _ if self.is_served_as_file() => format!("/{}", self.file()),
            _ => format!("/{}", self.stem()),
        }
    }
}
