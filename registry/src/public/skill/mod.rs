//! A skill and its versions as the public sees them.

mod headings;

use std::collections::BTreeMap;

use super::{Counters, Id, PromotionSource, Published};
use crate::journal::Revision;
use crate::names::{Coordinate, Digest, Handle, TagName, Version};
use crate::package::Fingerprints;
use crate::time::Timestamp;
use headings::Headings;

/// Whether a version is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionStatus {
    /// It is.
    Published,
    /// Its exact address works; nothing leads to it any more.
    Yanked {
        /// Why, in the words of who did it.
        reason: Option<String>,
    },
}

/// A public version, without its file list and front matter: those are in the
/// row of [`VersionEntry::revision`].
#[derive(Debug, Clone)]
pub struct VersionEntry {
    /// The row that made it public.
    pub revision: Revision,
    /// Its id.
    pub id: Id,
    /// The version.
    pub version: Version,
    /// Whether it is offered.
    pub status: VersionStatus,
    /// When it became public.
    pub published_at: Timestamp,
    /// Who published it.
    pub published_by: Handle,
    /// When an imported version was published originally.
    pub source_published_at: Option<Timestamp>,
    /// The name to show.
    pub name: Box<str>,
    /// One paragraph.
    pub description: Box<str>,
    /// What it is about.
    pub keywords: Box<[String]>,
    /// As the front matter says it.
    pub license: Option<Box<str>>,
    /// An http(s) URL.
    pub homepage: Option<Box<str>>,
    /// What changed.
    pub changelog: Box<str>,
    /// Files in the package.
    pub file_count: u64,
    /// Bytes of all files.
    pub unpacked_size: u64,
    /// Bytes of the package.
    pub package_size: u64,
    /// Digest of the package.
    pub sha256: Digest,
    /// Digest of the content.
    pub content_digest: Digest,
    /// The content fingerprints that third-party clients compute.
    pub fingerprints: Fingerprints,
    headings: Headings,
}

impl VersionEntry {
    /// `before` is the version of the skill that became public before it.
    fn new(revision: Revision, at: Timestamp, from: Published, before: Option<&Self>) -> Self {
        Self {
            revision,
            id: from.version_id,
            version: from.version,
            status: VersionStatus::Published,
            published_at: at,
            published_by: from.published_by.handle,
            source_published_at: from.source_published_at,
            name: from.name.into(),
            description: from.description.into(),
            keywords: from.keywords.into(),
            license: from.license.map(Into::into),
            homepage: from.homepage.map(Into::into),
            changelog: from.changelog.into(),
            file_count: from.file_count,
            unpacked_size: from.unpacked_size,
            package_size: from.package_size,
            sha256: from.sha256,
            content_digest: from.content_digest,
            fingerprints: from.fingerprints,
            headings: Headings::new(&from.headings, before.map(|before| &before.headings)),
        }
    }

    /// Whether nothing leads to it any more.
    pub fn is_yanked(&self) -> bool {
        matches!(self.status, VersionStatus::Yanked { .. })
    }

    /// The headings of its text, for search; none where its row is from before
    /// rows had them.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter()
    }
}

/// Where a tag points.
#[derive(Debug, Clone)]
pub struct TagEntry {
    /// The version it names.
    pub version: Version,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was moved last.
    pub updated_at: Timestamp,
    /// Who moved it last.
    pub updated_by: Handle,
}

/// A public skill: it has at least one version.
#[derive(Debug, Clone)]
pub struct Skill {
    /// Its id.
    pub id: Id,
    /// Its full name.
    pub coordinate: Coordinate,
    /// Who published it first.
    pub author: Handle,
    /// Its versions in the order in which they became public.
    pub versions: Vec<VersionEntry>,
    /// Its tags, `latest` left out.
    pub tags: BTreeMap<TagName, TagEntry>,
    /// Where it was promoted from.
    pub promoted_from: Option<PromotionSource>,
    /// When it became public.
    pub created_at: Timestamp,
    /// The row that made it public.
    pub created_revision: Revision,
    /// When it changed last.
    pub updated_at: Timestamp,
    /// The row that changed it last.
    pub updated_revision: Revision,
    /// The published numbers.
    pub counters: Counters,
}

impl Skill {
    /// A skill before its first version.
    pub(super) fn new(
        revision: Revision,
        at: Timestamp,
        coordinate: Coordinate,
        published: &Published,
    ) -> Self {
        Self {
            id: published.skill_id,
            coordinate,
            author: published.author.handle.clone(),
            versions: Vec::new(),
            tags: BTreeMap::new(),
            promoted_from: None,
            created_at: at,
            created_revision: revision,
            updated_at: at,
            updated_revision: revision,
            counters: Counters::default(),
        }
    }

    /// Takes in a version, and the tags that point to it from now on.
    pub(super) fn publish(&mut self, revision: Revision, at: Timestamp, mut published: Published) {
        self.touch(revision, at);
        if let Some(origin) = published.promoted_from.take() {
            self.promoted_from = Some(origin);
        }
        for tag in std::mem::take(&mut published.tags) {
            self.set_tag(at, tag, published.version.clone(), published.published_by.handle.clone());
        }
        let entry = VersionEntry::new(revision, at, published, self.versions.last());
        self.versions.push(entry);
    }

    fn touch(&mut self, revision: Revision, at: Timestamp) {
        self.updated_at = at;
        self.updated_revision = revision;
    }

    /// Offers a version, or stops offering it.
    pub(super) fn set_status(
        &mut self,
        revision: Revision,
        at: Timestamp,
        version: &Version,
        status: VersionStatus,
    ) {
        self.touch(revision, at);
        if let Some(entry) = self.versions.iter_mut().find(|entry| entry.version == *version) {
            entry.status = status;
        }
    }

    /// Gives the skill to someone else.
    pub(super) fn set_author(&mut self, revision: Revision, at: Timestamp, author: Handle) {
        self.touch(revision, at);
        self.author = author;
    }

    /// Comes back after it was removed.
    pub(super) fn restore(&mut self, revision: Revision, at: Timestamp) {
        self.touch(revision, at);
    }

    /// Points a tag to a version. That is no change of the skill's time.
    pub(super) fn set_tag(&mut self, at: Timestamp, tag: TagName, version: Version, by: Handle) {
        let created_at = self.tags.get(&tag).map_or(at, |entry| entry.created_at);
        self.tags.insert(tag, TagEntry { version, created_at, updated_at: at, updated_by: by });
    }

    /// Removes a tag.
    pub(super) fn remove_tag(&mut self, tag: &TagName) {
        self.tags.remove(tag);
    }

    /// The version with that exact number.
    pub fn version(&self, version: &Version) -> Option<&VersionEntry> {
        self.versions.iter().find(|entry| entry.version == *version)
    }

    /// The version that is offered by default: the highest release that is not
    /// yanked, else the highest such pre-release.
    pub fn latest(&self) -> Option<&VersionEntry> {
        let offered = self.versions.iter().filter(|entry| !entry.is_yanked());
        offered.max_by(|a, b| a.version.cmp_as_latest(&b.version))
    }

    /// The version that was offered by default at `at`, as far as what is known
    /// now tells: [`Self::latest`] among those that were public by then. None
    /// where none was.
    pub fn latest_at(&self, at: Timestamp) -> Option<&VersionEntry> {
        let offered = self.versions.iter().filter(|entry| !entry.is_yanked() && entry.published_at <= at);
        offered.max_by(|a, b| a.version.cmp_as_latest(&b.version))
    }

    /// The version whose name and description stand for the skill: the latest,
    /// or, when all are yanked, the highest.
    pub fn display_version(&self) -> Option<&VersionEntry> {
        let highest = || self.versions.iter().max_by(|a, b| a.version.cmp_as_latest(&b.version));
        self.latest().or_else(highest)
    }

    /// The version with that exact number, if it is offered.
    pub fn offered(&self, version: &Version) -> Option<&VersionEntry> {
        self.version(version).filter(|entry| !entry.is_yanked())
    }

    /// The version that a tag leads to, `latest` among them. A tag that points
    /// to a yanked version leads nowhere until that is undone or it is moved.
    pub fn tagged(&self, tag: &TagName) -> Option<&VersionEntry> {
        if tag.is_latest() {
            return self.latest();
        }
        self.tags.get(tag).and_then(|entry| self.offered(&entry.version))
    }
}
