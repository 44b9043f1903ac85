//! Tags of a skill.

use std::sync::Arc;

use hyper::StatusCode;
use registry::names::{Coordinate, TagName, TolerantVersion};
use registry::ops::tags::{self, RemoveTag, SetTag};
use registry::public::record::{FullList, TagRecord};
use serde::Deserialize;

use super::Params;
use super::fields::parse_field;
use super::skills::find;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, no_content, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// `GET …/tags`.
pub fn list(app: &Arc<App>, params: &Params) -> Result<Response, Problem> {
    let coordinate: Coordinate = params.skill()?;
    app.registry.read(|catalog| {
        let skill = find(catalog, &coordinate)?;
        let own = skill.tags.iter().map(|(name, entry)| TagRecord::new(catalog.public, name, entry));
        let all: Vec<_> = TagRecord::latest(skill).into_iter().chain(own).collect();
        json(StatusCode::OK, &FullList::from(all))
    })
}

/// Where a tag points.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NewTag {
    #[cfg_attr(feature = "openapi", schemars(with = "TolerantVersion"))]
    version: String,
}

fn name(params: &Params) -> Result<TagName, Problem> {
    parse_field("tagName", params.get("tagName").unwrap_or_default())
}

/// `PUT …/tags/{tagName}`.
pub async fn set(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let (skill, tag) = (params.skill()?, name(params)?);
    let body: NewTag = crate::body::json(&mut request, app.settings.http.json).await?;
    let TolerantVersion { version, .. } = parse_field("version", &body.version)?;
    let input = SetTag { skill, tag, version };
    let done = commit(app, caller.of(&request), move |context| tags::set(context, &input)).await?;
    let status = if done.reply.is_new { StatusCode::CREATED } else { StatusCode::OK };
    Ok(reply_with_revision(app, Receipt::from(&done), json(status, &done.reply.record)?).await)
}

/// `DELETE …/tags/{tagName}`.
pub async fn remove(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let input = RemoveTag { skill: params.skill()?, tag: name(params)? };
    let done = commit(app, by, move |context| tags::remove(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), no_content()).await)
}
