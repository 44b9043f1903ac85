//! Publishing a version of a skill, or submitting it for review.

pub use super::package_name::NamespaceConflict;
use super::package_name::coordinate;
use super::publish_draft::{Draft, Ids};
pub use super::publish_input::{FromSource, PublishInput};
use super::publish_tags::{may_move, require_latest, tags};
use super::publish_version::{Resolution, Target, repaired};
use super::{CommitContext, Decision, OpError, check_bytes, conflict, invalid, require_active};
use crate::access::Publishing;
use crate::api::private::PublishReply;
use crate::names::{Coordinate, Required, TagName};
use crate::package::{Finding, SKILL_MD, finding_codes, scan_changelog};
use crate::private::{PrivateChange, Submission};
use crate::public::{Archive, Id, PublicCatalog, PublicRecord};

/// Publishes a package, or submits it for review if the caller's role asks for that.
///
/// `archive` is the one to use if the registry has none of this content.
pub fn publish(
    context: CommitContext<'_>,
    input: &PublishInput<'_>,
    archive: Archive,
) -> Result<Decision<PublishReply>, OpError> {
    let caller = context.caller()?;
    let mut warnings: Vec<Finding> = input.package.warnings.iter().map(Finding::without_column).collect();
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
    if let Some(grant) = &context.actor.job {
        grant.check(&coordinate)?;
    }
    let access = context.access();
    super::namespace(context.catalog, &coordinate.namespace)?;
    let mut publishing = access.publish(&coordinate.namespace)?;
    if input.source.as_ref().is_some_and(|source| source.is_reviewed) {
        publishing = Publishing::Reviewed;
    }
    require_active(context.catalog, &coordinate.namespace)?;
    check_bytes("changelog", &input.changelog, 16)?;
    super::refuse_secret("slug", coordinate.slug.as_str())?;
    input.tags.iter().try_for_each(|tag| super::refuse_secret("tags", tag.as_str()))?;
    let found = scan_changelog(&input.changelog);
    warnings.extend(found.map_err(|refusal| OpError::InvalidPackage(refusal.findings))?);
    if let Some(removed) = context.catalog.public.removed(&coordinate) {
        let of_other = !access.publish_version_of(&coordinate.namespace, &removed.author);
        let why = if of_other {
            "belongs to another author, who removed it"
        } else {
            "was removed: restore it first"
        };
        return conflict(format!("the name `{coordinate}` {why}"));
    }
    let skill = context.catalog.public.skill(&coordinate);
    let claim = skill.map(|skill| &skill.author);
    let claim = claim
        .or_else(|| context.catalog.private.reviews.pending(&coordinate).next().map(|review| &review.author));
    if claim.is_some_and(|author| !access.publish_version_of(&coordinate.namespace, author)) {
        return conflict(format!(
            "the name `{coordinate}` belongs to another author: publish under another slug, or in a namespace of yours"
        ));
    }
    let level = input.package.warnings.iter().filter_map(|found| found.level).max();
    if input.wait_level.is_some_and(|wait| level >= Some(wait)) {
        publishing = Publishing::Reviewed;
    }
    // Another name must not bring back what staff took down, so staff looks at it first.
    let taken_down = context.catalog.taken_down_by_staff(&input.package.content_digest);
    // Nobody has decided on what a source brings.
    let taken_down = taken_down.filter(|_| input.source.is_some() || access.publish_taken_down().is_err());
    if taken_down.is_some() {
        publishing = Publishing::Reviewed;
    }
    let tags = tags(&access, skill, &input.tags)?;
    let asked = input.version.as_ref().map(|(read, _)| &read.version);
    let target = Target { catalog: context.catalog, coordinate: &coordinate, skill, caller, publishing };
    let resolution = target.resolve(input.package, asked)?;
    super::refuse_secret("version", &resolution.version().to_string())?;
    if input.tags.iter().any(TagName::is_latest) {
        require_latest(skill, resolution.version())?;
    }
    if !matches!(resolution, Resolution::New(..)) {
        warnings.extend(tags_left_out(&tags));
    }
    let requires = input.package.manifest.requires_of(&coordinate);
    let requires = requires.map_err(|finding| OpError::InvalidPackage(vec![finding]))?;
    warnings.extend(requires.iter().filter_map(|one| unmet(context.catalog.public, one)));
    let mut draft =
        Draft { context, input, archive, coordinate: &coordinate, skill, caller, warnings, requires };
    draft.archive = context.catalog.archive(&input.package.content_digest).unwrap_or(archive);
    if let Some(attestation) = &input.attestation {
        attestation.check_subject(&draft.archive.sha256).or_else(|why| invalid("attestation", why))?;
    }
    match resolution {
        Resolution::Existing(entry) => {
            draft.archive = Archive { sha256: entry.sha256, size: entry.package_size };
            let ids =
                Ids { skill: skill.map_or(entry.id, |skill| skill.id), version: entry.id, review: None };
            Ok(Decision::nothing(draft.reply(&entry.version, ids)))
        }
        Resolution::Waiting(review) => {
            let ids = Ids { skill: review.skill_id, version: review.version_id, review: Some(review.id) };
            Ok(Decision::nothing(draft.reply(&review.version, ids)))
        }
        Resolution::New(version, replaced) => {
            draft.warnings.extend(taken_down.map(waits_for_staff));
            may_move(&draft, &tags)?;
            super::quota_checks::check_room(context, skill, caller, input.quotas)?;
            if let Some(skill) = skill {
                super::require_not_taken_down(context, skill, &input.package.content_digest)?;
            }
            if publishing == Publishing::Reviewed {
                check_quota(&draft, replaced.is_some())?;
            }
            let published = draft.published(version, tags);
            let review = (publishing == Publishing::Reviewed).then_some(Id(context.revision));
            let contents = draft.contents(review.is_some());
            let ids = Ids { skill: published.skill_id, version: published.version_id, review };
            let reply = PublishReply { is_new: true, ..draft.reply(&published.version, ids) };
            let withdrawn = replaced.map(|review| PrivateChange::SubmissionWithdrawn { review: review.id });
            let by_job = context.actor.job.as_ref().map(|grant| PrivateChange::PublishedByJob {
                publisher: grant.publisher,
                job: Box::new(grant.job.clone()),
            });
            let mut private: Vec<_> = withdrawn.into_iter().chain(by_job).collect();
            let public = match publishing {
                Publishing::Direct => Some(PublicRecord::published(published, Box::new(contents))),
                Publishing::Reviewed => {
                    let submission = Submission { published: *published, contents };
                    private.push(PrivateChange::Submitted(Box::new(submission)));
                    None
                }
            };
            Ok(Decision { private, public, reply })
        }
    }
}

/// Checks that one more submission is within the caller's quota.
fn check_quota(draft: &Draft<'_>, replaces: bool) -> Result<(), OpError> {
    let Draft { context, input: PublishInput { quotas, .. }, caller, archive, .. } = draft;
    let usage = context.catalog.private.reviews.usage(caller, context.now);
    if !replaces {
        super::quota_checks::check_pending(usage, *quotas)?;
    }
    if usage.bytes.saturating_add(archive.size) > quotas.pending_bytes {
        return conflict(format!(
            "your submissions of the last day and those that wait for review would have more than {} bytes: wait \
             for their review, or try again in a day",
            quotas.pending_bytes
        ));
    }
    Ok(())
}

/// The warning for content that staff took down under another name.
fn waits_for_staff(other: &Coordinate) -> Finding {
    let message = format!(
        "the registry's staff took down {}, which has the same content: a platform moderator has to approve this",
        other.scoped()
    );
    Finding::new(finding_codes::CONTENT_TAKEN_DOWN, message)
}

/// The warning for a required skill of which the registry has no version that will do.
fn unmet(catalog: &PublicCatalog, required: &Required) -> Option<Finding> {
    let skill = catalog.skill(&required.coordinate());
    let found = match skill {
        Some(skill) if skill.required(&required.requirement).is_some() => return None,
        Some(_) => "no version of it fits",
        None => "no such skill is published",
    };
    let why = format!(
        "this requires {required}, but {found}: it cannot be installed until a version that fits is published"
    );
    Some(Finding::new(finding_codes::REQUIREMENT_UNMET, why).in_file(SKILL_MD))
}

fn tags_left_out(tags: &[TagName]) -> Option<Finding> {
    let message = "nothing was published, so the tags were not set either";
    (!tags.is_empty()).then(|| Finding::new(finding_codes::TAGS_IGNORED, message))
}
