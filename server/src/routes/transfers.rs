//! Skills are offered to another author.

use std::sync::Arc;

use hyper::StatusCode;
use registry::names::{Coordinate, Handle};
use registry::ops::transfer::{self, MakeOffer};
use registry::private::record::TransferRecord;
use serde::Deserialize;

use super::Params;
use super::fields::{page_of, parse_field};
use super::skills::shown;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, no_content, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// `GET /api/v1/me/transfers`.
pub fn list(app: &Arc<App>, caller: &Caller, query: &str) -> Result<Response, Problem> {
    let handle = caller.handle()?;
    app.registry.read(|catalog| {
        let offers = catalog.private.offers().with(handle);
        let all: Vec<_> = offers.iter().filter_map(|offer| TransferRecord::new(catalog, offer)).collect();
        json(StatusCode::OK, &page_of(query, all)?)
    })
}

/// To whom a skill is offered.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewOffer {
    #[cfg_attr(feature = "openapi", schemars(with = "Handle"))]
    to: String,
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    message: Option<String>,
}

/// `POST …/transfer`.
pub async fn offer(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let coordinate: Coordinate = params.skill()?;
    let body: NewOffer = crate::body::json(&mut request, app.settings.http.json).await?;
    let to: Handle = parse_field("to", &body.to)?;
    let input = MakeOffer { coordinate, to, message: body.message };
    let done = commit(app, caller.of(&request), move |context| transfer::offer(context, &input)).await?;
    let record = app.registry.read(|catalog| {
        let record = TransferRecord::new(catalog, &done.reply);
        record.map(|record| json(StatusCode::CREATED, &record))
    });
    let record = record.ok_or_else(|| Problem::gone("The skill was removed meanwhile."))??;
    Ok(reply_with_revision(app, Receipt::from(&done), record).await)
}

/// `DELETE …/transfer`.
pub async fn end(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let done = commit(app, by, move |context| transfer::end(context, &skill)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), no_content()).await)
}

/// `POST …/transfer/accept`.
pub async fn accept(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let c = skill.clone();
    let done = commit(app, by, move |context| transfer::accept(context, &c)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), shown(app, &skill)?).await)
}
