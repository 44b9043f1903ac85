//! Reviews are read and decided, promotions asked for.

use std::sync::Arc;

use generator::address::parameter;
use hyper::StatusCode;
use registry::Registry;
use registry::access::Access;
use registry::catalog::Catalog;
use registry::names::{Namespace, TolerantVersion};
use registry::ops::promote::{Promote, promote};
use registry::ops::review::{self, Approve, Decide};
use registry::private::record::{ReviewDetail, ReviewRecord};
use registry::private::{Review, ReviewStatus, Submission, Verdict};
use registry::public::Id;
use serde::Deserialize;

use super::Params;
use super::fields::{page_of, parse_field};
use crate::Response;
use crate::auth::Caller;
use crate::package_reads::under_review;
use crate::problem::Problem;
use crate::reply::{Receipt, blocking, check_again, commit, json, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// The reviews that a query asks for.
fn wanted(query: &str) -> Result<Option<ReviewStatus>, Problem> {
    Ok(Some(match parameter(query, "status").as_deref() {
        None | Some("pending") => ReviewStatus::Pending,
        Some("approved") => ReviewStatus::Approved,
        Some("rejected") => ReviewStatus::Rejected,
        Some("withdrawn") => ReviewStatus::Withdrawn,
        Some("all") => return Ok(None),
        Some(_) => {
            let known = "it is one of pending, approved, rejected, withdrawn, all";
            return Err(Problem::invalid_field("status", known));
        }
    }))
}

/// `GET …/reviews`.
pub fn list(
    app: &Arc<App>,
    caller: &Caller,
    request: &Request,
    params: &Params,
) -> Result<Response, Problem> {
    let namespace: Namespace = params.parse("slug")?;
    app.registry.read(|catalog| {
        super::namespaces::find(catalog, &namespace)?;
        Access::of(catalog, &caller.actor).read_reviews(&namespace)?;
        let status = wanted(&request.query)?;
        let all = catalog.private.reviews().in_namespace(&namespace);
        let all: Vec<_> = all.filter(|review| status.is_none_or(|status| review.status == status)).collect();
        let page = page_of(&request.query, all)?;
        json(StatusCode::OK, &page.map(|review| ReviewRecord::new(catalog, review)))
    })
}

/// The review that the caller may see.
fn readable<'a>(
    catalog: Catalog<'a>,
    caller: &Caller,
    namespace: &Namespace,
    id: Id,
) -> Result<&'a Review, Problem> {
    super::namespaces::find(catalog, namespace)?;
    let review = review::find(catalog, namespace, id);
    Access::of(catalog, &caller.actor).read_review(namespace, review)?;
    Ok(review.ok_or_else(|| review::no_review(namespace, id))?)
}

/// What was handed in. The review must exist.
async fn submission(app: &Arc<App>, id: Id) -> Result<Submission, Problem> {
    let registry = Arc::clone(&app.registry);
    let found = blocking(move || Ok(registry.submission(id)?)).await?;
    found.ok_or_else(|| Problem::internal(format!("the row of the review {id} has no submission")))
}

/// `GET …/reviews/{id}`.
pub async fn show(app: &Arc<App>, caller: &Caller, params: &Params) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (params.parse("slug")?, params.parse("id")?);
    app.registry.read(|catalog| readable(catalog, caller, &namespace, id).map(drop))?;
    let submission = submission(app, id).await?;
    app.registry.read(|catalog| {
        let review = readable(catalog, caller, &namespace, id)?;
        json(StatusCode::OK, &ReviewDetail::new(catalog, review, &submission.contents))
    })
}

/// `GET …/reviews/{id}/package`.
pub async fn package(
    app: &Arc<App>,
    caller: &Caller,
    request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (params.parse("slug")?, params.parse("id")?);
    let review = app.registry.read(|catalog| readable(catalog, caller, &namespace, id).cloned())?;
    let of_review = Arc::clone(app);
    let found = blocking(move || under_review(&of_review, &review)).await?;
    let gone = "The package is not kept any more: what is decided against may be removed after a day.";
    found.ok_or_else(|| Problem::gone(gone))?.into_response(&request.method, &request.headers)
}

/// Why a review is decided so.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Comment {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    comment: Option<String>,
}

/// `POST …/reviews/{id}/approve` and `…/reject`.
pub async fn decide(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
    verdict: Verdict,
) -> Result<Response, Problem> {
    let (namespace, id): (Namespace, Id) = (params.parse("slug")?, params.parse("id")?);
    let Comment { comment } = crate::body::json(&mut request, app.settings.http.json).await?;
    let decision = Decide { namespace: namespace.clone(), review: id, comment };
    let by = caller.of(&request);
    let done = match verdict {
        Verdict::Rejected => commit(app, by, move |context| review::reject(context, &decision)).await?,
        Verdict::Approved => {
            may_decide(app, caller, &namespace, id).await?;
            let input = Approve { decision, submission: submission(app, id).await? };
            commit(app, by, move |context| review::approve(context, &input)).await?
        }
    };
    let record = shown(app, StatusCode::OK, &namespace, id)?;
    Ok(reply_with_revision(app, Receipt::from(&done), record).await)
}

/// Refuses who may not decide, before what was handed in is read. Rights come
/// first: who has none learns nothing of what is there.
async fn may_decide(app: &Arc<App>, caller: &Caller, namespace: &Namespace, id: Id) -> Result<(), Problem> {
    let (actor, namespace) = (caller.actor.clone(), namespace.clone());
    let check = move |registry: &Registry| {
        registry.read(|catalog| {
            super::namespaces::find(catalog, &namespace)?;
            let review = review::find(catalog, &namespace, id);
            Access::of(catalog, &actor).decide(&namespace, review)?;
            Ok::<_, Problem>(review.map(drop).ok_or_else(|| review::no_review(&namespace, id))?)
        })
    };
    check_again(app, check).await
}

fn shown(app: &App, status: StatusCode, namespace: &Namespace, id: Id) -> Result<Response, Problem> {
    app.registry.read(|catalog| {
        let review = review::find(catalog, namespace, id);
        let review = review.ok_or_else(|| review::no_review(namespace, id))?;
        json(status, &ReviewRecord::new(catalog, review))
    })
}

/// What is to be promoted.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPromotion {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(with = "Option<TolerantVersion>"))]
    version: Option<String>,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    comment: Option<String>,
}

/// `POST /api/v1/namespaces/{slug}/skills/{skillId}/promote`.
pub async fn ask_for_promotion(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let (namespace, skill): (Namespace, Id) = (params.parse("slug")?, params.parse("skillId")?);
    let body: NewPromotion = crate::body::json(&mut request, app.settings.http.json).await?;
    let version = body.version.map(|text| parse_field::<TolerantVersion>("version", &text)).transpose()?;
    let version = version.map(|read| read.version);
    let input = Promote { namespace, skill, version, comment: body.comment };
    let done = commit(app, caller.of(&request), move |context| promote(context, &input)).await?;
    let record = shown(app, StatusCode::CREATED, &Namespace::global(), done.reply)?;
    Ok(reply_with_revision(app, Receipt::from(&done), record).await)
}
