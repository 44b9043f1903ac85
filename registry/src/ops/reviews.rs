//! Deciding a review.

use super::tags::MAX_TAGS;
use super::{
    CommitContext, Decision, OpError, check_words, conflict, require_active, require_not_taken_down,
};
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace, TagName};
use crate::package::Finding;
use crate::private::{PrivateChange, Review, ReviewStatus, Submission, Verdict};
use crate::public::{Contents, Id, MAX_SCANNERS, PublicRecord, Published, ScanVerdict, Skill};
use crate::quotas::Quotas;

/// A decision on a review.
#[derive(Debug, Clone)]
pub struct Decide {
    /// The namespace of the review.
    pub namespace: Namespace,
    /// The id of the review.
    pub review: Id,
    /// The comment of the reviewer, at most 2 KiB.
    pub comment: Option<String>,
}

/// A submission that its submitter takes back.
#[derive(Debug, Clone)]
pub struct Withdraw {
    /// The namespace of the review.
    pub namespace: Namespace,
    /// The id of the review.
    pub review: Id,
}

/// An approval, and the submission that it publishes.
#[derive(Debug, Clone)]
pub struct Approve {
    /// The decision on the review.
    pub decision: Decide,
    /// The submission under review.
    pub submission: Submission,
    /// What scanners said about it, which becomes public with it.
    pub scans: Vec<ScanVerdict>,
    /// Whether to approve it although the account of submitter or author is disabled.
    pub accepts_disabled: bool,
    /// What the author may use.
    pub quotas: Quotas,
}

/// Finds the pending review, if the caller may decide it.
fn decidable<'a>(context: CommitContext<'a>, input: &Decide) -> Result<&'a Review, OpError> {
    super::namespace(context.catalog, &input.namespace)?;
    let review = find(context.catalog, &input.namespace, input.review);
    context.access().decide(&input.namespace, review)?;
    let review = review.ok_or_else(|| no_review(&input.namespace, input.review))?;
    check_words("comment", input.comment.as_deref())?;
    require_pending(review)?;
    Ok(review)
}

/// Refuses a review that is closed.
fn require_pending(review: &Review) -> Result<(), OpError> {
    let was = match review.status {
        ReviewStatus::Pending => return Ok(()),
        ReviewStatus::Approved => "approved",
        ReviewStatus::Rejected => "rejected",
        ReviewStatus::Withdrawn => "withdrawn",
    };
    conflict(format!("the review {} was {was} already", review.id))
}

/// Finds a review in a namespace.
pub fn find<'a>(catalog: Catalog<'a>, namespace: &Namespace, id: Id) -> Option<&'a Review> {
    catalog.private.reviews.get(id).filter(|review| review.coordinate.namespace == *namespace)
}

/// The error for an unknown review.
pub fn no_review(namespace: &Namespace, id: Id) -> OpError {
    OpError::NotFound(format!("there is no review {id} in the namespace `{namespace}`"))
}

fn decided(context: CommitContext<'_>, input: &Decide, verdict: Verdict) -> Result<PrivateChange, OpError> {
    let (by, comment) = (context.caller()?.clone(), input.comment.clone());
    Ok(PrivateChange::ReviewDecided { review: input.review, verdict, by, comment })
}

/// Rejects a submission. Its version is free again.
pub fn reject(context: CommitContext<'_>, input: &Decide) -> Result<Decision<()>, OpError> {
    decidable(context, input)?;
    Ok(Decision::private(decided(context, input, Verdict::Rejected)?, ()))
}

/// Withdraws a submission or promotion, also in a namespace that is not active. Its version is free again.
pub fn withdraw(context: CommitContext<'_>, input: &Withdraw) -> Result<Decision<()>, OpError> {
    let Withdraw { namespace, review: id } = input;
    super::namespace(context.catalog, namespace)?;
    let review = find(context.catalog, namespace, *id);
    context.access().withdraw(namespace, review)?;
    require_pending(review.ok_or_else(|| no_review(namespace, *id))?)?;
    Ok(Decision::private(PrivateChange::SubmissionWithdrawn { review: *id }, ()))
}

/// Approves a submission. It is published as submitted, with the current display names.
pub fn approve(context: CommitContext<'_>, input: &Approve) -> Result<Decision<()>, OpError> {
    let Approve { decision: input, submission, scans, accepts_disabled, quotas } = input;
    let review = decidable(context, input)?;
    if let Some(handle) = context.catalog.disabled_accounts(review).first().filter(|_| !accepts_disabled) {
        return conflict(format!(
            "the account `{handle}` was disabled after the submission: reject it, or send `acceptDisabled` to publish it \
             nevertheless"
        ));
    }
    require_active(context.catalog, &input.namespace)?;
    let mut author = &review.author;
    if let Some((skill, origin)) = &review.source {
        require_active(context.catalog, &origin.namespace)?;
        let source = context.catalog.public.skill_by_id(*skill);
        // The skill may have a new author by now.
        author = source.map_or(author, |source| &source.author);
        if source.and_then(|source| source.offered(&origin.version)).is_none() {
            return conflict(format!(
                "version {} of what is to be promoted was yanked or removed: reject the promotion",
                origin.version
            ));
        }
    }
    if let Some(skill) = context.catalog.public.skill(&review.coordinate) {
        // It may have been submitted before the takedown.
        require_not_taken_down(context, skill, &submission.published.content_digest)?;
    }
    if context.catalog.taken_down_by_staff(&submission.published.content_digest).is_some() {
        context.access().publish_taken_down()?;
    }
    let mut published = published(context.catalog, review, author, &submission.published)?;
    // Other submissions may have been approved meanwhile.
    super::quota_checks::check_room(
        context,
        context.catalog.public.skill(&review.coordinate),
        author,
        *quotas,
    )?;
    let shown = |finding: &&Finding| !finding.is_confidential();
    let warnings = submission.contents.warnings.iter().filter(shown).cloned().collect();
    let mut contents = Contents { warnings, ..submission.contents.clone() };
    // A scanner may have judged again since they were read, or the copied version before.
    let is_newest = |scan: &&ScanVerdict| review.verdicts.iter().any(|known| known.summary == scan.summary());
    let is_new = |scan: &&ScanVerdict| published.verdicts.iter().all(|known| known.scanner != scan.scanner);
    let room = MAX_SCANNERS.saturating_sub(published.verdicts.len());
    let new: Vec<_> = scans.iter().filter(is_newest).filter(is_new).take(room).cloned().collect();
    published.verdicts.extend(new.iter().map(ScanVerdict::summary));
    contents.scans.extend(new);
    let public = PublicRecord::published(Box::new(published), Box::new(contents));
    let private = vec![decided(context, input, Verdict::Approved)?];
    Ok(Decision { private, public: Some(public), reply: () })
}

/// Builds the public record of a submission.
fn published(
    catalog: Catalog<'_>,
    review: &Review,
    own: &Handle,
    submitted: &Published,
) -> Result<Published, OpError> {
    let coordinate = &review.coordinate;
    if catalog.public.removed(coordinate).is_some() {
        return conflict(format!("{} was removed: restore it first", coordinate.scoped()));
    }
    let skill = catalog.public.skill(coordinate);
    let exists =
        |skill: &&Skill| skill.versions.iter().any(|entry| entry.version.eq_ignoring_case(&review.version));
    if skill.as_ref().is_some_and(exists) {
        return conflict(format!(
            "version {} of {} was published meanwhile: reject this one",
            review.version,
            coordinate.scoped()
        ));
    }
    let author = skill.map_or(own, |skill| &skill.author);
    if coordinate.namespace.is_global() && author != own {
        return conflict(format!(
            "the name `{coordinate}` belongs to another author by now: reject this one"
        ));
    }
    let is_new = |tag: &&TagName| skill.is_none_or(|skill| !skill.tags.contains_key(*tag));
    let tags = skill.map_or(0, |skill| skill.tags.len()) + submitted.tags.iter().filter(is_new).count();
    if tags > MAX_TAGS {
        return conflict(format!(
            "{} would have more than {MAX_TAGS} tags: remove some first",
            coordinate.scoped()
        ));
    }
    Ok(Published {
        skill_id: skill.map_or(submitted.skill_id, |skill| skill.id),
        author: catalog.person(author),
        published_by: catalog.person(&submitted.published_by.handle),
        ..submitted.clone()
    })
}
