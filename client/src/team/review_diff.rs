//! Compares a submission with what is public.

use registry::api::private::{ReviewDetail, ReviewRecord};
use registry::names::{Namespace, Version};
use registry::public::Id;

use super::SignedIn;
use crate::diff::{PackageContents, PackageDiff, published_package};
use crate::http::Progress;
use crate::{ClientError, SkillReference, Source};

/// What a review would change.
pub struct ReviewDiff {
    /// The review.
    pub review: ReviewRecord<'static>,
    /// The latest version, if the skill has one.
    pub latest: Option<Version>,
    /// What differs between the latest version and the submission.
    pub diff: PackageDiff,
}

/// The path of a review in the API.
pub fn review_path(namespace: &Namespace, id: Id) -> String {
    format!("/api/v1/namespaces/{namespace}/reviews/{id}")
}

/// Compares a submission with the latest version of the skill. A skill without a latest version counts
/// as one without files.
pub fn diff_review(
    of: &SignedIn,
    source: &Source,
    (namespace, id): (&Namespace, Id),
    progress: Progress<'_>,
) -> Result<ReviewDiff, ClientError> {
    let path = review_path(namespace, id);
    let review = of.get::<ReviewDetail<'_>>(&path)?.record.review;
    let submitted =
        of.package(&format!("{path}/package"), &review.sha256, &format!("review {id}"), progress)?;
    let reference = SkillReference { coordinate: review.coordinate(), requirement: None };
    let (latest, published) = match published_package(source, &reference, progress) {
        Ok(found) => (Some(found.version), found.contents),
        // A new skill, or one whose versions are all yanked.
        Err(ClientError::NotFound(_) | ClientError::Yanked(_)) => (None, PackageContents::default()),
        Err(why) => return Err(why),
    };
    Ok(ReviewDiff { review, latest, diff: PackageDiff::between(&published, &submitted) })
}
