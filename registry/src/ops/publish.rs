//! A version of a skill is published, or handed in for review.

use serde::Serialize;

pub use super::package_name::Contradiction;
use super::package_name::coordinate;
use super::publish_draft::Draft;
use super::publish_version::{Outcome, repaired, resolve};
use super::tags::MOST_TAGS as MOST_TAGS_OF_SKILL;
use super::{Decision, Moment, OpError, check_text, require_active};
use crate::access::{Access, Actor, Publishing};
use crate::catalog::Catalog;
use crate::names::{Coordinate, Digest, Namespace, TagName, TolerantVersion, Version};
use crate::package::{Claim, Finding, Package, code};
use crate::private::{PrivateChange, Submission};
use crate::public::{Archive, Id, PublicRecord, Skill};
use crate::time::Timestamp;

/// A package, and what its sender says of it.
pub struct Incoming<'a> {
    /// The validated content.
    pub package: &'a Package,
    /// Where to; else the package's own namespace, else `global`.
    pub namespace: Option<Namespace>,
    /// As what; else the package's own name. May be a canonical slug.
    pub named: Option<Claim>,
    /// What happens when the package says another namespace.
    pub contradiction: Contradiction,
    /// As which version, and how it was written.
    pub version: Option<(TolerantVersion, String)>,
    /// What changed, at most 16 KiB.
    pub changelog: String,
    /// Tags to point to this version.
    pub tags: Vec<TagName>,
    /// When it was published originally, for imports.
    pub source_published_at: Option<Timestamp>,
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
pub fn publish(
    catalog: Catalog<'_>,
    actor: &Actor,
    (input, archive): (&Incoming<'_>, Archive),
    moment: Moment,
) -> Result<Decision<PublishReply>, OpError> {
    let caller = actor.handle.as_ref().ok_or_else(|| OpError::Forbidden("say who publishes".into()))?;
    let mut warnings = input.package.warnings().to_vec();
    if let Some((read, written)) = input.version.as_ref().filter(|(read, _)| read.repaired) {
        warnings.push(repaired(written, &read.version));
    }
    let coordinate = coordinate(
        input.package,
        input.namespace.as_ref(),
        input.named.as_ref(),
        input.contradiction,
        &mut warnings,
    )?;
    let access = Access::of(catalog, actor);
    let namespace = super::namespace(catalog, &coordinate.namespace)?;
    let publishing = access.publish(&coordinate.namespace)?;
    require_active(namespace)?;
    check_changelog(&input.changelog)?;
    if let Some(removed) = catalog.public.removed(&coordinate) {
        let of_other = !access.publish_version_of(&coordinate.namespace, &removed.author);
        let why = if of_other {
            "belongs to another author, who removed it"
        } else {
            "was removed: restore it first"
        };
        return Err(OpError::Conflict(format!("the name `{coordinate}` {why}")));
    }
    let skill = catalog.public.skill(&coordinate);
    let claim = skill.map(|skill| &skill.author);
    let claim =
        claim.or_else(|| catalog.private.reviews().pending(&coordinate).next().map(|review| &review.author));
    if claim.is_some_and(|author| !access.publish_version_of(&coordinate.namespace, author)) {
        return Err(OpError::Conflict(format!(
            "the name `{coordinate}` belongs to another author: publish under another slug, or in a namespace of yours"
        )));
    }
    let tags = tags(&access, skill, &input.tags, &mut warnings)?;
    let asked = input.version.as_ref().map(|(read, _)| &read.version);
    let outcome = resolve(catalog, &coordinate, skill, input.package, asked, (caller, publishing))?;
    if !matches!(outcome, Outcome::New(..)) {
        warnings.extend(tags_left_out(&tags));
    }
    let draft = Draft { catalog, input, made: archive, coordinate: &coordinate, skill, caller, warnings };
    match outcome {
        Outcome::Existing(entry) => {
            let archive = Archive { sha256: entry.sha256, size: entry.package_size };
            let id = skill.map_or(entry.id, |skill| skill.id);
            Ok(Decision::nothing(draft.reply(&entry.version, id, entry.id, archive, None, false)))
        }
        Outcome::Waiting(review) => {
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
        Outcome::New(version, replaced) => {
            let published = draft.published(version, tags, moment);
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
                    let review = Id(moment.revision);
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
const MOST_TAGS: usize = 32;

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
    if tags.len() > MOST_TAGS {
        let message = format!("it has {} tags: at most {MOST_TAGS} can be set at once", tags.len());
        return Err(OpError::Invalid { field: "tags", message });
    }
    if let Some(skill) = skill.filter(|_| !tags.is_empty()) {
        access.tag(skill)?;
        let new = tags.iter().filter(|tag| !skill.tags.contains_key(*tag)).count();
        if skill.tags.len() + new > MOST_TAGS_OF_SKILL {
            return Err(OpError::Conflict(format!(
                "a skill can have {MOST_TAGS_OF_SKILL} tags: use some that it has already"
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
