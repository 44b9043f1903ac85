//! The record of a publication, and the reply to it.

use super::CommitContext;
use super::publish_input::PublishInput;
use crate::api::private::{PublishReply, PublishStatus};
use crate::names::{Coordinate, Digest, Handle, Required, TagName, Version};
use crate::package::Finding;
use crate::public::{Archive, Contents, Id, PublicProvenance, Published, Skill, VerdictSummary};

/// A publication whose skill is known.
pub(super) struct Draft<'a> {
    pub(super) context: CommitContext<'a>,
    pub(super) input: &'a PublishInput<'a>,
    /// The stored archive of the content, or the new one.
    pub(super) archive: Archive,
    pub(super) coordinate: &'a Coordinate,
    pub(super) skill: Option<&'a Skill>,
    pub(super) caller: &'a Handle,
    pub(super) warnings: Vec<Finding>,
    pub(super) requires: Vec<Required>,
}

/// The ids in a reply.
pub(super) struct Ids {
    pub(super) skill: Id,
    pub(super) version: Id,
    /// The review that the version waits for.
    pub(super) review: Option<Id>,
}

impl Draft<'_> {
    pub(super) fn contents(&self, with_secrets: bool) -> Contents {
        let shown = |finding: &&Finding| with_secrets || !finding.is_confidential();
        Contents {
            metadata: self.input.package.manifest.front_matter.clone(),
            warnings: self.warnings.iter().filter(shown).cloned().collect(),
            files: self.input.package.files.clone(),
            attestation: self.input.attestation.as_ref().map(|read| read.text().to_owned()),
            scans: Vec::new(),
        }
    }

    /// The id that the skill has, or got with its first submission.
    fn skill_id(&self) -> Option<Id> {
        let mut pending = self.context.catalog.private.reviews.pending(self.coordinate);
        self.skill.map(|skill| skill.id).or_else(|| pending.next().map(|review| review.skill_id))
    }

    /// The source or the job, as everybody may see it.
    fn provenance(&self) -> Option<PublicProvenance> {
        if let Some(source) = &self.input.source {
            return Some(PublicProvenance::Source { source: source.provenance.clone() });
        }
        let grant = self.context.actor.job.as_ref()?;
        let publisher = self.context.catalog.private.publishers.get(grant.publisher)?;
        grant.job.public_provenance(publisher.terms.show_private)
    }

    pub(super) fn published(&self, version: Version, tags: Vec<TagName>) -> Box<Published> {
        let package = self.input.package;
        let manifest = &package.manifest;
        let author = self.skill.map_or(self.caller, |skill| &skill.author);
        let id = Id(self.context.revision);
        Box::new(Published {
            skill_id: self.skill_id().unwrap_or(id),
            version_id: id,
            namespace: self.coordinate.namespace.clone(),
            slug: self.coordinate.slug.clone(),
            version,
            author: self.context.catalog.person(author),
            published_by: self.context.catalog.person(self.caller),
            name: manifest.title.clone().unwrap_or_else(|| self.coordinate.slug.to_string()),
            description: manifest.description.clone(),
            keywords: manifest.keywords.clone(),
            headings: manifest.headings.clone(),
            body_words: manifest.body_words.clone(),
            license: manifest.license.clone(),
            homepage: manifest.homepage.clone(),
            changelog: self.input.changelog.clone(),
            tags,
            promoted_from: None,
            source_published_at: self.input.source_published_at,
            file_count: package.files.len() as u64,
            unpacked_size: package.unpacked_size(),
            package_size: self.archive.size,
            sha256: self.archive.sha256,
            content_digest: package.content_digest,
            fingerprints: package.fingerprints.clone(),
            requires: self.requires.clone(),
            provenance: self.provenance().map(Box::new),
            attestation_sha256: self
                .input
                .attestation
                .as_ref()
                .map(|read| Digest::of(read.text().as_bytes())),
            verdicts: vec![VerdictSummary::of_own_rules(&self.warnings)],
        })
    }

    /// The reply about `version`. It says that nothing was written.
    pub(super) fn reply(&self, version: &Version, ids: Ids) -> PublishReply {
        let package = self.input.package;
        // A caller that names the namespace expects the short name.
        let slug = match self.input.namespace {
            Some(_) => self.coordinate.slug.to_string(),
            None => self.coordinate.to_string(),
        };
        PublishReply {
            slug,
            version: version.clone(),
            status: if ids.review.is_some() {
                PublishStatus::PendingReview
            } else {
                PublishStatus::Published
            },
            namespace: self.coordinate.namespace.clone(),
            canonical_slug: self.coordinate.clone(),
            skill_id: ids.skill,
            version_id: ids.version,
            sha256: self.archive.sha256,
            file_count: package.files.len() as u64,
            unpacked_size: package.unpacked_size(),
            package_size: self.archive.size,
            review_id: ids.review,
            warnings: self.warnings.clone(),
            is_new: false,
        }
    }
}
