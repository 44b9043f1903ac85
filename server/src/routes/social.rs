//! Stars and ratings.

use std::sync::Arc;

use hyper::StatusCode;
use registry::names::Coordinate;
use registry::ops::rate::{self, RateSkill};
use registry::ops::star;
use registry::private::Score;
use serde::Deserialize;

use super::Params;
use super::fields::parse_score;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// `POST …/star`.
pub async fn star(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let done = commit(app, by, move |context| star::star(context, &skill)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), json(StatusCode::OK, &done.reply)?).await)
}

/// `DELETE …/star`.
pub async fn unstar(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let done = commit(app, by, move |context| star::unstar(context, &skill)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), json(StatusCode::OK, &done.reply)?).await)
}

/// A rating.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRating {
    #[cfg_attr(feature = "openapi", schemars(with = "Score"))]
    score: serde_json::Number,
}

/// `POST …/rating`.
pub async fn rate(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let body: NewRating = crate::body::json(&mut request, app.settings.http.json).await?;
    let score: Score = parse_score(&body.score)?;
    let input = RateSkill { skill, score };
    let done = commit(app, caller.of(&request), move |context| rate::rate(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), json(StatusCode::OK, &done.reply)?).await)
}
