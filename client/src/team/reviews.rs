//! Reviews of submissions.

use registry::names::Namespace;
use registry::public::Id;
use serde_json::json;

use super::records::{ReviewDetail, ReviewRecord};
use super::signed_in::given;
use super::{PageRequest, Reply, SignedIn};
use crate::diff::{PackageContents, PackageDiff, published_package};
use crate::http::Progress;
use crate::source::records::List;
use crate::{ClientError, SkillReference, Source};

/// The reviews of a namespace with this status (`all` for every one), the newest first.
pub fn list(
    of: &SignedIn,
    namespace: &Namespace,
    status: &str,
    page: PageRequest,
) -> Result<Reply<List<ReviewRecord>>, ClientError> {
    of.list(&format!("/api/v1/namespaces/{namespace}/reviews?status={status}"), page)
}

/// A review with everything that an approval makes public.
pub fn show(of: &SignedIn, namespace: &Namespace, id: Id) -> Result<Reply<ReviewDetail>, ClientError> {
    of.get(&path(namespace, id))
}

fn path(namespace: &Namespace, id: Id) -> String {
    format!("/api/v1/namespaces/{namespace}/reviews/{id}")
}

/// What a review would change.
pub struct ReviewDiff {
    /// The review.
    pub review: ReviewRecord,
    /// The latest version, if the skill has one.
    pub latest: Option<registry::names::Version>,
    /// What differs between the latest version and the submission.
    pub diff: PackageDiff,
}

/// Compares a submission with the latest version of the skill. A skill without a latest version counts
/// as one without files.
pub fn diff(
    of: &SignedIn,
    source: &Source,
    (namespace, id): (&Namespace, Id),
    progress: Progress<'_>,
) -> Result<ReviewDiff, ClientError> {
    let review = show(of, namespace, id)?.record.review;
    let what = format!("review {id}");
    let package = format!("{}/package", path(namespace, id));
    let submitted = of.package(&package, &review.sha256, &what, progress)?;
    let reference = SkillReference { coordinate: review.coordinate(), requirement: None };
    let (latest, published) = match published_package(source, &reference, progress) {
        Ok(found) => (Some(found.version), found.contents),
        // A new skill, or one whose versions are all yanked.
        Err(ClientError::NotFound(_) | ClientError::Yanked(_)) => (None, PackageContents::default()),
        Err(why) => return Err(why),
    };
    Ok(ReviewDiff { review, latest, diff: PackageDiff::between(&published, &submitted) })
}

/// Approves a submission: it becomes public.
pub fn approve(
    of: &SignedIn,
    namespace: &Namespace,
    id: Id,
    comment: Option<&str>,
    accept_disabled: bool,
) -> Result<Reply<ReviewRecord>, ClientError> {
    let body = json!({"comment": comment, "acceptDisabled": accept_disabled.then_some(true)});
    let approved = of.post(&format!("{}/approve", path(namespace, id)), &given(body));
    approved.map_err(|why| match why {
        // The registry names the field of its API.
        ClientError::Problem(problem) if problem.mentions("`acceptDisabled`") => ClientError::Problem(
            problem.with_advice(Some("The option for that is --accept-disabled.".to_owned())),
        ),
        other => other,
    })
}

/// Takes back a submission of the caller.
pub fn withdraw(of: &SignedIn, namespace: &Namespace, id: Id) -> Result<Reply<ReviewRecord>, ClientError> {
    of.post_nothing(&format!("{}/withdraw", path(namespace, id)))
}

/// Rejects a submission. The submitter sees the comment.
pub fn reject(
    of: &SignedIn,
    namespace: &Namespace,
    id: Id,
    comment: &str,
) -> Result<Reply<ReviewRecord>, ClientError> {
    of.post(&format!("{}/reject", path(namespace, id)), &json!({"comment": comment}))
}
