//! Reading and deciding reviews, and requesting promotions.

use std::sync::Arc;

use generator::address::parameter;
use registry::Registry;
use registry::access::Access;
use registry::api::private::{ReviewDetail, ReviewRecord};
use registry::api::public::Page;
use registry::catalog::Catalog;
use registry::names::{Namespace, TolerantVersion};
use registry::ops::promotions::{self, Promote};
use registry::ops::reviews::{self, Approve, Decide, Withdraw};
use registry::private::{Review, ReviewStatus, Submission};
use registry::public::{Id, ScanVerdict};
use serde_json::json;

use super::prelude::*;
use crate::reads::package_reads::under_review;
use crate::security::auth::Caller;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/namespaces/{slug}/reviews", READ, list)
            .describe("listReviews", "Lists the reviews of a namespace.")
            .query_value("status", "Only reviews with this status.", || status_parameter("pending")).paged().replies::<Page<ReviewRecord<'_>>>(200),
        get("/api/v1/reviews", READ, list_waiting)
            .describe("listWaitingReviews", "Lists the reviews that wait and that the caller may decide, the oldest first.")
            .paged().replies::<Page<ReviewRecord<'_>>>(200),
        get("/api/v1/me/reviews", READ, list_own)
            .describe("listOwnReviews", "Lists the caller's submissions and promotions, the newest first.")
            .query_value("status", "Only reviews with this status.", || status_parameter("all"))
            .paged().replies::<Page<ReviewRecord<'_>>>(200),
        get("/api/v1/namespaces/{slug}/reviews/{id}", READ, show)
            .describe("showReview", "Shows a review with the submission.")
            .replies::<ReviewDetail<'_>>(200),
        get("/api/v1/namespaces/{slug}/reviews/{id}/package", READ, package)
            .describe("downloadReview", "Sends the package under review.")
            .replies_zip().fails(&[Code::Gone]),
        post("/api/v1/namespaces/{slug}/reviews/{id}/approve", MANAGE, approve)
            .describe("approve", "Approves a submission: it becomes public.")
            .optional_body::<Approval>().replies::<ReviewRecord<'_>>(200).waits_for_tree().fails(&[Code::Conflict]),
        post("/api/v1/namespaces/{slug}/reviews/{id}/reject", MANAGE, reject)
            .describe("reject", "Rejects a submission.")
            .optional_body::<Comment>().replies::<ReviewRecord<'_>>(200).fails(&[Code::Conflict]),
        post("/api/v1/namespaces/{slug}/reviews/{id}/withdraw", PUBLISH, withdraw)
            .describe("withdraw", "Takes a submission of the caller back.")
            .replies::<ReviewRecord<'_>>(200).fails(&[Code::Conflict]),
        post("/api/v1/namespaces/{slug}/skills/{skillId}/promote", MANAGE, request_promotion)
            .describe("promote", "Requests a copy of a version in `global`. Creates a review there.")
            .optional_body::<NewPromotion>().replies::<ReviewRecord<'_>>(201).fails(&[Code::Conflict]),
    ]
}

/// The values of the parameter `status`.
fn status_parameter(default: &str) -> serde_json::Value {
    let statuses = ["pending", "approved", "rejected", "withdrawn", "all"];
    json!({ "type": "string", "enum": statuses, "default": default })
}

/// The status that the query asks for; `None` for all.
fn status_filter(query: &str, default: &str) -> Result<Option<ReviewStatus>, Problem> {
    Ok(Some(match parameter(query, "status").as_deref().unwrap_or(default) {
        "pending" => ReviewStatus::Pending,
        "approved" => ReviewStatus::Approved,
        "rejected" => ReviewStatus::Rejected,
        "withdrawn" => ReviewStatus::Withdrawn,
        "all" => return Ok(None),
        _ => {
            let known = "it is one of pending, approved, rejected, withdrawn, all";
            return Err(Problem::invalid_field("status", known));
        }
    }))
}

async fn list(call: Call) -> Result<Response, Problem> {
    let namespace: Namespace = call.param("slug")?;
    let caller = call.caller()?;
    call.read(|catalog| {
        registry::ops::namespace(catalog, &namespace)?;
        Access::of(catalog, &caller.actor).read_reviews(&namespace)?;
        let status = status_filter(&call.request.query, "pending")?;
        let all = catalog.private.reviews.in_namespace(&namespace);
        let all: Vec<_> = all.filter(|review| status.is_none_or(|status| review.status == status)).collect();
        let page = call.page_of(all)?;
        json(StatusCode::OK, &page.map(|review| ReviewRecord::new(catalog, review)))
    })
}

/// The reviews that wait and that the caller may decide, in all namespaces.
async fn list_waiting(call: Call) -> Result<Response, Problem> {
    let caller = call.caller()?;
    call.read(|catalog| {
        let access = Access::of(catalog, &caller.actor);
        let all = catalog.private.reviews.all_pending();
        let may_decide =
            |review: &&Review| access.decide(&review.coordinate.namespace, Some(*review)).is_ok();
        let mut all: Vec<_> = all.filter(may_decide).collect();
        all.sort_by_key(|review| review.id);
        json(StatusCode::OK, &call.page_of(all)?.map(|review| ReviewRecord::new(catalog, review)))
    })
}

/// The reviews that the caller submitted, in all namespaces.
async fn list_own(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    let status = status_filter(&call.request.query, "all")?;
    call.read(|catalog| {
        let all = catalog.private.reviews.by(handle);
        let all: Vec<_> = all.filter(|review| status.is_none_or(|status| review.status == status)).collect();
        let page = call.page_of(all)?;
        json(StatusCode::OK, &page.map(|review| ReviewRecord::new(catalog, review)))
    })
}

/// The review. 403 or 404 if the caller may not see it.
fn readable<'a>(
    catalog: Catalog<'a>,
    caller: &Caller,
    namespace: &Namespace,
    id: Id,
) -> Result<&'a Review, Problem> {
    registry::ops::namespace(catalog, namespace)?;
    let review = reviews::find(catalog, namespace, id);
    Access::of(catalog, &caller.actor).read_review(namespace, review)?;
    Ok(review.ok_or_else(|| reviews::no_review(namespace, id))?)
}

/// The submission of an existing review.
async fn submission(call: &Call, id: Id) -> Result<Submission, Problem> {
    let registry = Arc::clone(&call.app.registry);
    let found = blocking(move || Ok(registry.submission(id)?)).await?;
    found.ok_or_else(|| Problem::internal(format!("the row of the review {id} has no submission")))
}

/// What scanners said about the submission of this review.
async fn scans(call: &Call, review: Review) -> Result<Vec<ScanVerdict>, Problem> {
    let registry = Arc::clone(&call.app.registry);
    blocking(move || Ok(registry.scans(&review)?)).await
}

async fn show(call: Call) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (call.param("slug")?, call.param("id")?);
    let caller = call.caller()?;
    // The answer shows this state of the review. A verdict that arrives now would appear without its findings.
    let review = call.read(|catalog| readable(catalog, caller, &namespace, id).cloned())?;
    let (submission, scans) = (submission(&call, id).await?, scans(&call, review.clone()).await?);
    let unanswered = call.app.settings.scans.unanswered(&review);
    call.read(|catalog| {
        json(StatusCode::OK, &ReviewDetail::new(catalog, &review, &submission, &scans, unanswered))
    })
}

async fn package(call: Call) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (call.param("slug")?, call.param("id")?);
    let caller = call.caller()?;
    let review = call.read(|catalog| readable(catalog, caller, &namespace, id).cloned())?;
    let reader = Arc::clone(&call.app.reader);
    let found = blocking(move || under_review(&reader, &review)).await?;
    let gone = "The package is no longer stored: packages of rejected and withdrawn submissions may be removed \
                after a day.";
    found.ok_or_else(|| Problem::gone(gone))?.into_response(&call.request.method, &call.request.headers)
}

/// Why a review is decided this way.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Comment {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    comment: Option<String>,
}

/// Why a submission is approved, and whether also for a disabled account.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Approval {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    comment: Option<String>,
    #[serde(default)]
    accept_disabled: bool,
}

async fn reject(mut call: Call) -> Result<Response, Problem> {
    let (namespace, review) = (call.param("slug")?, call.param("id")?);
    let Comment { comment } = call.json().await?;
    let input = Decide { namespace, review, comment };
    let (namespace, id) = (input.namespace.clone(), input.review);
    let done = call.commit(reviews::reject, input).await?;
    call.finish(&done, review_reply(&call, StatusCode::OK, &namespace, id)?).await
}

async fn withdraw(call: Call) -> Result<Response, Problem> {
    let input = Withdraw { namespace: call.param("slug")?, review: call.param("id")? };
    let (namespace, id) = (input.namespace.clone(), input.review);
    let done = call.commit(reviews::withdraw, input).await?;
    call.finish(&done, review_reply(&call, StatusCode::OK, &namespace, id)?).await
}

async fn approve(mut call: Call) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (call.param("slug")?, call.param("id")?);
    let Approval { comment, accept_disabled: accepts_disabled } = call.json().await?;
    let decision = Decide { namespace: namespace.clone(), review: id, comment };
    let review = require_decidable(&call, &namespace, id).await?;
    let (submission, quotas) = (submission(&call, id).await?, call.app.settings.quotas);
    let scans = scans(&call, review).await?;
    let input = Approve { decision, submission, scans, accepts_disabled, quotas };
    let done = call.commit(reviews::approve, input).await?;
    call.finish(&done, review_reply(&call, StatusCode::OK, &namespace, id)?).await
}

/// The review, if the caller may decide it: others are refused before the submission is read. Rights are checked
/// first, so that others do not learn which reviews exist.
async fn require_decidable(call: &Call, namespace: &Namespace, id: Id) -> Result<Review, Problem> {
    let (actor, namespace) = (call.caller()?.actor.clone(), namespace.clone());
    let check = move |registry: &Registry| {
        registry.read(|catalog| {
            registry::ops::namespace(catalog, &namespace)?;
            let review = reviews::find(catalog, &namespace, id);
            Access::of(catalog, &actor).decide(&namespace, review)?;
            Ok::<_, Problem>(review.cloned().ok_or_else(|| reviews::no_review(&namespace, id))?)
        })
    };
    call.check_twice(check).await
}

fn review_reply(call: &Call, status: StatusCode, namespace: &Namespace, id: Id) -> Result<Response, Problem> {
    call.read(|catalog| {
        let review = reviews::find(catalog, namespace, id);
        let review = review.ok_or_else(|| reviews::no_review(namespace, id))?;
        json(status, &ReviewRecord::new(catalog, review))
    })
}

/// The version to copy (default: the latest), and why.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewPromotion {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<TolerantVersion>"))]
    version: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    comment: Option<String>,
}

async fn request_promotion(mut call: Call) -> Result<Response, Problem> {
    let (namespace, skill) = (call.param("slug")?, call.param("skillId")?);
    let body: NewPromotion = call.json().await?;
    let version = body.version.map(|text| parse_field::<TolerantVersion>("version", &text)).transpose()?;
    let (version, quotas) = (version.map(|read| read.version), call.app.settings.quotas);
    let done = call
        .commit(promotions::request, Promote { namespace, skill, version, comment: body.comment, quotas })
        .await?;
    call.finish(&done, review_reply(&call, StatusCode::CREATED, &Namespace::global(), done.reply)?).await
}
