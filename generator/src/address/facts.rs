//! What the table says about a document.

use registry::names::{Coordinate, Namespace, Version};
use registry::public::{PublicCatalog, Skill, VersionEntry};

use super::{Document, Format, Lifetime, Rank, SkillList, Stage};
use crate::documents::kind::{Kind, Shows};
use crate::documents::{Subject, format_of};

impl Document {
    pub(crate) fn kind(&self) -> &'static Kind {
        self.kind_and_subject().0
    }

    fn subject(&self) -> Subject<'_> {
        self.kind_and_subject().1
    }

    /// The format of its file.
    pub fn format(&self) -> Format {
        match self {
            Self::Asset(asset) => format_of(*asset),
            _ => self.kind().format,
        }
    }

    /// How long caches may keep it.
    pub fn lifetime(&self) -> Lifetime {
        self.kind().lifetime
    }

    /// The stage in which it is written.
    pub fn stage(&self) -> Stage {
        self.kind().stage
    }

    /// The rank in the order of writing.
    pub fn rank(&self) -> Rank {
        // A page refers to those of longer beginnings.
        let depth = match self.subject() {
            Subject::Group(_, prefix) => prefix.as_str().len() as u64,
            _ => 0,
        };
        Rank::new(self.stage(), self.page().unwrap_or(depth))
    }

    /// Whether its file may lack a change that the documents of the changed skill show. A server
    /// answers it from the catalog then.
    pub fn may_lag(&self) -> bool {
        self.kind().may_lag
    }

    /// Whether it depends on the public URL: pages show their own URL, the not-found page and the URLs
    /// of packages have its path, and some clients need whole URLs. Two trees of one state with different
    /// public URLs differ only in these, the settings and the head.
    pub fn is_site_bound(&self) -> bool {
        self.kind().shows_url
    }

    /// Whether a closed registry sends it to everyone.
    pub fn is_open(&self) -> bool {
        self.kind().is_open
    }

    /// The skill that it is about.
    pub fn skill(&self) -> Option<&Coordinate> {
        self.subject().coordinate()
    }

    /// The skill that it is about, unless it is a page: a removed skill's page gets the same 404 as any
    /// other page.
    pub fn coordinate(&self) -> Option<&Coordinate> {
        self.skill().filter(|_| !matches!(self, Self::Page(_)))
    }

    /// The version in its address.
    pub fn version(&self) -> Option<&Version> {
        match self.subject() {
            Subject::Version(_, version) => Some(version),
            _ => None,
        }
    }

    /// The namespace that it is about: one itself, a list of its skills, or one of these.
    pub fn namespace(&self) -> Option<&Namespace> {
        self.subject().namespace()
    }

    /// The version that it shows. `None` if it is not about one version, or if the skill has no such
    /// version.
    pub(crate) fn entry<'a>(&self, catalog: &'a PublicCatalog) -> Option<(&'a Skill, &'a VersionEntry)> {
        let (kind, subject) = self.kind_and_subject();
        let skill = catalog.skill(subject.coordinate()?)?;
        let entry = match (kind.shows, subject) {
            (Shows::Latest, _) => skill.latest(),
            (Shows::Display, _) => skill.display_version(),
            (Shows::Pointed, Subject::Version(_, version)) => skill.version(version),
            (Shows::Pointed, Subject::Tag(_, tag)) => skill.tagged(tag),
            (Shows::Offered, Subject::Version(_, version)) => skill.offered(version),
            (Shows::Nothing | Shows::Pointed | Shows::Offered, _) => None,
        };
        entry.map(|entry| (skill, entry))
    }

    /// The page number, from 1, if this is a page of a list in the tree.
    pub(crate) fn page(&self) -> Option<u64> {
        match self.subject() {
            Subject::Page { page, .. } => Some(page),
            _ => None,
        }
    }

    /// Another page of the same list.
    pub(crate) fn with_page(&self, page: u64) -> Option<Self> {
        match self {
            Self::SkillList(list) => Some(Self::SkillList(SkillList { page, ..list.clone() })),
            Self::NamespaceList { size, .. } => Some(Self::NamespaceList { page, size: *size }),
            Self::Page(of) => of.with_page(page).map(Self::Page),
            _ => None,
        }
    }

    /// The next page of the same list.
    pub(crate) fn next_page(&self) -> Option<Self> {
        self.with_page(self.page()?.checked_add(1)?)
    }
}
