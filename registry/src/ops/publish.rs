//! A version of a skill is published, or handed in for review.

use serde::Serialize;

pub use super::package_name::NamespaceConflict;
use super::package_name::coordinate;
use super::publish_draft::Draft;
use super::publish_version::{Resolution, Target, repaired};
use super::tags::MAX_TAGS as MAX_TAGS_OF_SKILL;
use super::{CommitContext, Decision, OpError, check_text, require_active};
use crate::access::{Access, Publishing};
use crate::names::{Coordinate, Digest, Namespace, TagName, TolerantVersion, Version};
use crate::package::{Finding, Package, RequestedName, code};
use crate::private::{PrivateChange, Submission};
use crate::public::{Archive, Id, PublicRecord, Skill};
use crate::time::Timestamp;

/// A package, and what its sender says of it.
pub struct PublishInput<'a> {
    /// The validated content.
    pub package: &'a Package,
    /// Where to; else the package's own namespace, else `global`.
    pub namespace: Option<Namespace>,
    /// As what; else the package's own name. May be a canonical slug.
    pub requested_name: Option<RequestedName>,
    /// What happens when the package says another namespace.
    pub on_namespace_conflict: NamespaceConflict,
    /// As which version, and how it was written.
    pub version: Option<(TolerantVersion, String)>,
    /// What changed, at most 16 KiB.
    pub changelog: String,
    /// Tags to point to this version.
    pub tags: Vec<TagName>,
    /// When it was published originally, for imports.
    pub source_published_at: Option<Timestamp>,
}

/// A publication, with the archive made of its package.
#[derive(Clone, Copy)]
pub struct Publish<'a> {
    /// The package and its metadata.
    pub input: &'a PublishInput<'a>,
    /// The archive, for when the registry has none of this content.
    pub archive: Archive,
}

/// The answer to a publication.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[cfg_attr(feature = "openapi", schemars(rename = "PublishAnswer"))]
pub struct PublishReply {
    /// The slug where the form had a namespace, else the canonical slug.
    #[cfg_attr(feature = "openapi", schemars(with = "Coordinate"))]
    pub(super) slug: String,
    pub(super) version: Version,
    pub(super) status: Status,
    pub(super) namespace: Namespace,
    pub(super) canonical_slug: Coordinate,
    pub(super) skill_id: Id,
    pub(super) version_id: Id,
    pub(super) sha256: Digest,
    pub(super) file_count: u64,
    pub(super) unpacked_size: u64,
    pub(super) package_size: u64,
    pub(super) review_id: Option<Id>,
    pub(super) warnings: Vec<Finding>,
    /// Whether anything new was written (or, in a rehearsal, would be).
    #[serde(skip)]
    pub is_new: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "openapi", schemars(rename = "PublishStatus"))]
pub(super) enum Status {
    Published,
    PendingReview,
}

impl PublishReply {
    /// The skill.
    pub fn coordinate(&self) -> &Coordinate {
        &self.canonical_slug
    }

    /// The version it has become.
    pub fn version(&self) -> &Version {
        &self.version
    }
}

/// Publishes a package, or hands it in for review where the caller's place in
/// the namespace asks for that.
pub fn publish(context: CommitContext<'_>, publish: &Publish<'_>) -> Result<Decision<PublishReply>, OpError> {
    let &Publish { input, archive } = publish;
    let caller =
        context.actor.handle.as_ref().ok_or_else(|| OpError::Forbidden("say who publishes".into()))?;
    let mut warnings = input.package.warnings().to_vec();
    if let Some((read, written)) = input.version.as_ref().filter(|(read, _)| read.repaired) {
        warnings.push(repaired(written, &read.version));
    }
    let coordinate = coordinate(
        input.package,
        input.namespace.as_ref(),
        input.requested_name.as_ref(),
        input.on_namespace_conflict,
        &mut warnings,
    )?;
    let access = context.access();
    let namespace = super::namespace(context.catalog, &coordinate.namespace)?;
    let publishing = access.publish(&coordinate.namespace)?;
    require_active(namespace)?;
    check_changelog(&input.changelog)?;
    if let Some(removed) = context.catalog.public.removed(&coordinate) {
        let of_other = !access.publish_version_of(&coordinate.namespace, &removed.author);
        let why = if of_other {
            "belongs to another author, who removed it"
        } else {
            "was removed: restore it first"
        };
        return Err(OpError::Conflict(format!("the name `{coordinate}` {why}")));
    }
    let skill = context.catalog.public.skill(&coordinate);
    let claim = skill.map(|skill| &skill.author);
    let claim = claim.or_else(|| {
        context.catalog.private.reviews().pending(&coordinate).next().map(|review| &review.author)
    });
    if claim.is_some_and(|author| !access.publish_version_of(&coordinate.namespace, author)) {
        return Err(OpError::Conflict(format!(
            "the name `{coordinate}` belongs to another author: publish under another slug, or in a namespace of yours"
        )));
    }
    let tags = tags(&access, skill, &input.tags, &mut warnings)?;
    let asked = input.version.as_ref().map(|(read, _)| &read.version);
    let target = Target { catalog: context.catalog, coordinate: &coordinate, skill, caller, publishing };
    let resolution = target.resolve(input.package, asked)?;
    if !matches!(resolution, Resolution::New(..)) {
        warnings.extend(tags_left_out(&tags));
    }
    let draft = Draft { context, input, made: archive, coordinate: &coordinate, skill, caller, warnings };
    match resolution {
        Resolution::Existing(entry) => {
            let archive = Archive { sha256: entry.sha256, size: entry.package_size };
            let id = skill.map_or(entry.id, |skill| skill.id);
            Ok(Decision::nothing(draft.reply(&entry.version, id, entry.id, archive, None, false)))
        }
        Resolution::Waiting(review) => {
            let archive = draft.archive();
            let reply = draft.reply(
                &review.version,
                review.skill_id,
                review.version_id,
                archive,
                Some(review.id),
                false,
            );
            Ok(Decision::nothing(reply))
        }
        Resolution::New(version, replaced) => {
            let published = draft.published(version, tags);
            let ids = (published.skill_id, published.version_id);
            match publishing {
                Publishing::Direct => {
                    let reply = draft.reply(&published.version, ids.0, ids.1, draft.archive(), None, true);
                    let record = PublicRecord::published(published, Box::new(draft.contents(false)));
                    let withdrawn =
                        replaced.map(|review| PrivateChange::SubmissionWithdrawn { review: review.id });
                    Ok(Decision { private: withdrawn.into_iter().collect(), public: Some(record), reply })
                }
                Publishing::Reviewed => {
                    let review = Id(context.revision);
                    let reply = draft.reply(
                        &published.version,
                        published.skill_id,
                        ids.1,
                        draft.archive(),
                        Some(review),
                        true,
                    );
                    let withdrawn =
                        replaced.map(|review| PrivateChange::SubmissionWithdrawn { review: review.id });
                    let submission = Submission { published: *published, contents: draft.contents(true) };
                    let submitted = PrivateChange::Submitted(Box::new(submission));
                    let private = withdrawn.into_iter().chain([submitted]).collect();
                    Ok(Decision { private, public: None, reply })
                }
            }
        }
    }
}

fn check_changelog(changelog: &str) -> Result<(), OpError> {
    check_text("changelog", changelog, usize::MAX)?;
    if changelog.len() > 16 * 1024 {
        return Err(OpError::Invalid {
            field: "changelog",
            message: "it may have at most 16 KiB: shorten it".into(),
        });
    }
    Ok(())
}

/// How many tags one publication may set.
const MAX_TAGS: usize = 32;

/// The tags to set. `latest` follows the versions by itself, so asking for it
/// is no mistake worth refusing.
fn tags(
    access: &Access<'_>,
    skill: Option<&Skill>,
    asked: &[TagName],
    warnings: &mut Vec<Finding>,
) -> Result<Vec<TagName>, OpError> {
    let (reserved, mut tags): (Vec<_>, Vec<_>) = asked.iter().cloned().partition(TagName::is_latest);
    if !reserved.is_empty() {
        let message = "the tag `latest` is left out: it follows the highest release by itself";
        warnings.push(Finding::new(code::TAG_RESERVED, message));
    }
    tags.sort_unstable();
    tags.dedup();
    if tags.len() > MAX_TAGS {
        let message = format!("it has {} tags: at most {MAX_TAGS} can be set at once", tags.len());
        return Err(OpError::Invalid { field: "tags", message });
    }
    if let Some(skill) = skill.filter(|_| !tags.is_empty()) {
        access.tag(skill)?;
        let new = tags.iter().filter(|tag| !skill.tags.contains_key(*tag)).count();
        if skill.tags.len() + new > MAX_TAGS_OF_SKILL {
            return Err(OpError::Conflict(format!(
                "a skill can have {MAX_TAGS_OF_SKILL} tags: use some that it has already"
            )));
        }
    }
    Ok(tags)
}

/// A warning where the version is there already, so that nothing is written.
fn tags_left_out(tags: &[TagName]) -> Option<Finding> {
    let message = "nothing was published, so the tags were not set either";
    (!tags.is_empty()).then(|| Finding::new(code::TAGS_IGNORED, message))
}
