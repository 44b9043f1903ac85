//! The public state of a skill and its versions.

mod requirement;
mod shared_lines;

use std::collections::BTreeMap;

use super::{Counters, Id, PromotionSource, PublicProvenance, Published, Scanned, VerdictEntry, put_verdict};
use crate::names::{Coordinate, Digest, Handle, Required, TagName, Version};
use crate::package::Fingerprints;
use crate::public::Revision;
use crate::time::Timestamp;
use shared_lines::SharedLines;

/// Whether a version is offered or yanked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionStatus {
    /// The version is offered.
    Published,
    /// The version can only be had by its exact number. No tag, and not `latest`,
    /// resolves to it.
    Yanked {
        /// The reason, in the words of the person who yanked it.
        reason: Option<String>,
    },
}

/// A public version. Its file list and front matter are only in the row
/// [`VersionEntry::revision`].
#[derive(Debug, Clone)]
pub struct VersionEntry {
    /// The row that made it public.
    pub revision: Revision,
    /// The id.
    pub id: Id,
    /// The version.
    pub version: Version,
    /// Whether it is offered.
    pub status: VersionStatus,
    /// The time when it became public.
    pub published_at: Timestamp,
    /// The publisher.
    pub published_by: Handle,
    /// The original publication time of an imported version.
    pub source_published_at: Option<Timestamp>,
    /// The display name.
    pub name: Box<str>,
    /// The description, one paragraph.
    pub description: Box<str>,
    /// The keywords.
    pub keywords: Box<[String]>,
    /// The license, as in the front matter.
    pub license: Option<Box<str>>,
    /// The homepage, an http(s) URL.
    pub homepage: Option<Box<str>>,
    /// The changelog.
    pub changelog: Box<str>,
    /// The number of files in the package.
    pub file_count: u64,
    /// The size of all files in bytes.
    pub unpacked_size: u64,
    /// The size of the package in bytes.
    pub package_size: u64,
    /// The digest of the package.
    pub sha256: Digest,
    /// The digest of the content.
    pub content_digest: Digest,
    /// The content fingerprints that third-party clients compute.
    pub fingerprints: Fingerprints,
    /// The job or the source that it is from.
    pub provenance: Option<Box<PublicProvenance>>,
    /// The digest of its attestation.
    pub attestation: Option<Box<Digest>>,
    /// The skills that it requires.
    pub requires: Box<[Required]>,
    /// The newest verdict of each scanner.
    pub verdicts: Vec<VerdictEntry>,
    headings: SharedLines,
    body_words: SharedLines,
}

impl VersionEntry {
    /// `before` is the skill's previous version.
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
            provenance: from.provenance,
            attestation: from.attestation_sha256.map(Box::new),
            requires: from.requires.into(),
            verdicts: from
                .verdicts
                .into_iter()
                .map(|summary| VerdictEntry { summary, at, revision })
                .collect(),
            headings: SharedLines::new(&from.headings, before.map(|before| &before.headings)),
            body_words: SharedLines::new(&from.body_words, before.map(|before| &before.body_words)),
        }
    }

    /// Whether it was yanked.
    pub fn is_yanked(&self) -> bool {
        matches!(self.status, VersionStatus::Yanked { .. })
    }

    /// The headings of its text, for search. Old rows have none.
    pub fn headings(&self) -> impl Iterator<Item = &str> {
        self.headings.iter()
    }

    /// The most frequent words of its text that no other field has, for search. Old rows have none.
    pub fn body_words(&self) -> impl Iterator<Item = &str> {
        self.body_words.iter()
    }
}

/// The target of a tag.
#[derive(Debug, Clone)]
pub struct TagEntry {
    /// The version that the tag points to.
    pub version: Version,
    /// The time of its creation.
    pub created_at: Timestamp,
    /// The time of the last move.
    pub updated_at: Timestamp,
    /// The person who moved it last.
    pub updated_by: Handle,
}

/// A public skill. It has at least one version.
#[derive(Debug, Clone)]
pub struct Skill {
    /// The id.
    pub id: Id,
    /// The full name.
    pub coordinate: Coordinate,
    /// The author: the first publisher, unless the skill was transferred.
    pub author: Handle,
    /// The versions, in the order in which they became public.
    pub versions: Vec<VersionEntry>,
    /// The tags, without `latest`.
    pub tags: BTreeMap<TagName, TagEntry>,
    /// The source of the promotion, if it was promoted.
    pub promoted_from: Option<PromotionSource>,
    /// The time when it became public.
    pub created_at: Timestamp,
    /// The row that made it public.
    pub created_revision: Revision,
    /// The time of its last change.
    pub updated_at: Timestamp,
    /// The row of its last change.
    pub updated_revision: Revision,
    /// The published counters.
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

    /// Adds a version, and points its tags to it.
    pub(super) fn publish(&mut self, revision: Revision, at: Timestamp, mut published: Published) {
        self.touch(revision, at);
        if let Some(origin) = published.promoted_from.take() {
            self.promoted_from = Some(origin);
        }
        for tag in std::mem::take(&mut published.tags) {
            self.set_tag(at, tag, published.version.clone(), published.published_by.handle.clone());
        }
        let entry = VersionEntry::new(revision, at, published, self.versions.last());
        if self.versions.len() == self.versions.capacity() {
            // A vector would begin with room for four, and most skills have fewer versions.
            self.versions.reserve_exact(1 + self.versions.len() / 4);
        }
        self.versions.push(entry);
    }

    /// Sets the time of the last change.
    pub(super) fn touch(&mut self, revision: Revision, at: Timestamp) {
        self.updated_at = at;
        self.updated_revision = revision;
    }

    /// Yanks a version, or offers it again.
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

    /// Records what a scanner said about a version. This does not change the skill's update time.
    pub(super) fn judge(&mut self, revision: Revision, at: Timestamp, scanned: &Scanned) {
        let judged =
            |entry: &&mut VersionEntry| (&entry.version, entry.sha256) == (&scanned.version, scanned.sha256);
        if let Some(entry) = self.versions.iter_mut().find(judged) {
            put_verdict(
                &mut entry.verdicts,
                VerdictEntry { summary: scanned.verdict.summary(), at, revision },
            );
        }
    }

    /// Points a tag to a version. This does not change the skill's update time.
    pub(super) fn set_tag(&mut self, at: Timestamp, tag: TagName, version: Version, by: Handle) {
        let created_at = self.tags.get(&tag).map_or(at, |entry| entry.created_at);
        self.tags.insert(tag, TagEntry { version, created_at, updated_at: at, updated_by: by });
    }

    /// The version with exactly this number.
    pub fn version(&self, version: &Version) -> Option<&VersionEntry> {
        self.versions.iter().find(|entry| entry.version == *version)
    }

    /// The default version: the highest release that is not yanked, or else the
    /// highest pre-release that is not.
    pub fn latest(&self) -> Option<&VersionEntry> {
        self.highest(|entry| !entry.is_yanked())
    }

    /// The default version at the time `at`: [`Self::latest`] of those that were
    /// public by then. Takes later yanks into account.
    pub fn latest_at(&self, at: Timestamp) -> Option<&VersionEntry> {
        self.highest(|entry| !entry.is_yanked() && entry.published_at <= at)
    }

    /// The version whose name and description are shown for the skill: the
    /// latest, or the highest if all are yanked.
    pub fn display_version(&self) -> Option<&VersionEntry> {
        self.latest().or_else(|| self.highest(|_| true))
    }

    fn highest(&self, filter: impl Fn(&VersionEntry) -> bool) -> Option<&VersionEntry> {
        let versions = self.versions.iter().filter(|entry| filter(entry));
        versions.max_by(|a, b| a.version.cmp_as_latest(&b.version))
    }

    /// The version with exactly this number, unless it was yanked.
    pub fn offered(&self, version: &Version) -> Option<&VersionEntry> {
        self.version(version).filter(|entry| !entry.is_yanked())
    }

    /// The version that a tag (or `latest`) resolves to. A tag that points to a
    /// yanked version resolves to nothing.
    pub fn tagged(&self, tag: &TagName) -> Option<&VersionEntry> {
        if tag.is_latest() {
            return self.latest();
        }
        self.tags.get(tag).and_then(|entry| self.offered(&entry.version))
    }
}
