//! Documents about a skill and its versions.

use registry::names::{Coordinate, TagName, Version};
use registry::public::{PublicCatalog, Skill, VersionEntry};

use super::{ClawhubDocument, Document, GitFile, Pointer, WebPage};

impl Document {
    /// The skill it is about, and the version in its address.
    fn subject(&self) -> Option<(&Coordinate, Option<&Version>)> {
        Some(match self {
            Self::Package(c, version)
            | Self::Version(c, version)
            | Self::Files(c, version)
            | Self::Proof(c, version)
            | Self::CompatPackage(c, Pointer::Version(version))
            | Self::Resolve(c, Some(Pointer::Version(version)))
            | Self::CompatResolve(c, Some(Pointer::Version(version))) => (c, Some(version)),
            Self::CompatPackage(c, Pointer::Tag(_))
            | Self::LatestPackage(c)
            | Self::Resolve(c, _)
            | Self::CompatResolve(c, _)
            | Self::Skill(c)
            | Self::Versions(c)
            | Self::AgentSkill(c)
            | Self::SkillMarkdown(c)
            | Self::Git(c, _)
            | Self::Clawhub(ClawhubDocument::Skill(c)) => (c, None),
            // A removed skill's page gets the same 404 as any other page.
            _ => return None,
        })
    }

    /// The skill it is about.
    pub fn coordinate(&self) -> Option<&Coordinate> {
        self.subject().map(|(c, _)| c)
    }

    /// The version in its address.
    pub fn version(&self) -> Option<&Version> {
        self.subject().and_then(|(_, version)| version)
    }

    /// The version that it shows. `None` if it is not about one version, or if the skill has no such
    /// version.
    pub(crate) fn entry<'a>(&self, catalog: &'a PublicCatalog) -> Option<(&'a Skill, &'a VersionEntry)> {
        let skill = catalog.skill(self.coordinate()?)?;
        let entry = match self {
            Self::CompatPackage(_, Pointer::Tag(tag))
            | Self::Resolve(_, Some(Pointer::Tag(tag)))
            | Self::CompatResolve(_, Some(Pointer::Tag(tag))) => skill.tagged(tag),
            Self::LatestPackage(_)
            | Self::Resolve(_, None)
            | Self::CompatResolve(_, None)
            | Self::AgentSkill(_)
            | Self::Git(..) => skill.latest(),
            Self::SkillMarkdown(_) => skill.display_version(),
            Self::Resolve(..) | Self::CompatResolve(..) => skill.offered(self.version()?),
            // The exact addresses of a yanked version keep working.
            _ => skill.version(self.version()?),
        };
        entry.map(|entry| (skill, entry))
    }
}

/// The documents about a version, also those that a yanked version lacks.
pub(crate) fn about_version(c: &Coordinate, version: &Version) -> impl Iterator<Item = Document> + use<> {
    let documents = [
        Document::Package(c.clone(), version.clone()),
        Document::Version(c.clone(), version.clone()),
        Document::Files(c.clone(), version.clone()),
        Document::CompatPackage(c.clone(), Pointer::Version(version.clone())),
    ];
    documents.into_iter()
}

/// The documents that show where a tag points. `latest` is resolved by a document of the skill.
pub(crate) fn about_tag(c: &Coordinate, tag: &TagName) -> impl Iterator<Item = Document> + use<> {
    let pointer = Pointer::Tag(tag.clone());
    let resolution = (!tag.is_latest()).then(|| Document::Resolve(c.clone(), Some(pointer.clone())));
    resolution.into_iter().chain([Document::CompatPackage(c.clone(), pointer)])
}

/// The documents about the skill as a whole, also those that it lacks if all versions are yanked.
pub(crate) fn about_skill(c: &Coordinate) -> [Document; 9] {
    [
        Document::Skill(c.clone()),
        Document::Versions(c.clone()),
        Document::Resolve(c.clone(), None),
        Document::CompatResolve(c.clone(), None),
        Document::LatestPackage(c.clone()),
        Document::Clawhub(ClawhubDocument::Skill(c.clone())),
        Document::AgentSkill(c.clone()),
        Document::SkillMarkdown(c.clone()),
        Document::Page(WebPage::Skill(c.clone())),
    ]
}

/// The git repository of a skill, which a tree may leave out.
pub(crate) fn about_repository(c: &Coordinate) -> [Document; 2] {
    [GitFile::Pack, GitFile::Refs].map(|file| Document::Git(c.clone(), file))
}

/// The documents about all tags of a skill, including `latest`.
pub(crate) fn about_tags(skill: &Skill) -> impl Iterator<Item = Document> {
    let tags = skill.tags.keys().cloned().chain([TagName::latest()]);
    tags.flat_map(|tag| about_tag(&skill.coordinate, &tag))
}

/// All documents about a skill, its versions and its tags.
pub(crate) fn about_all_of(skill: &Skill) -> impl Iterator<Item = Document> {
    let c = &skill.coordinate;
    let versions = skill.versions.iter().flat_map(|entry| about_version(c, &entry.version));
    versions.chain(about_skill(c)).chain(about_tags(skill)).chain(about_repository(c))
}
