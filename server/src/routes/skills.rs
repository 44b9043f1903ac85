//! Versions are yanked, skills removed and restored.

use std::sync::Arc;

use hyper::StatusCode;
use registry::catalog::Catalog;
use registry::names::{Coordinate, Version};
use registry::ops::yank::{self, Unyank, Yank};
use registry::ops::{self, remove_skill};
use registry::public::Skill;
use registry::public::record::{SkillDetail, VersionRecord};
use serde::Deserialize;

use super::Params;
use crate::Response;
use crate::auth::Caller;
use crate::problem::Problem;
use crate::reply::{Receipt, commit, json, no_content, reply_with_revision};
use crate::request::Request;
use crate::state::App;

/// The skill, or the problem that there is none or that it was removed.
pub(super) fn find<'a>(catalog: Catalog<'a>, coordinate: &Coordinate) -> Result<&'a Skill, Problem> {
    ops::skill(catalog, coordinate).map_err(Problem::from)
}

/// The answer with the skill as it is now.
pub(super) fn shown(app: &App, coordinate: &Coordinate) -> Result<Response, Problem> {
    app.registry.read(|catalog| {
        let skill = find(catalog, coordinate)?;
        json(StatusCode::OK, &SkillDetail::new(catalog.public, skill))
    })
}

fn version_shown(app: &App, coordinate: &Coordinate, version: &Version) -> Result<Response, Problem> {
    app.registry.read(|catalog| {
        let skill = find(catalog, coordinate)?;
        let entry = ops::version(skill, version)?;
        json(StatusCode::OK, &VersionRecord::new(catalog.public, skill, entry))
    })
}

/// Why a version is yanked.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Reason {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    reason: Option<String>,
}

/// `POST …/versions/{version}/yank`.
pub async fn yank(
    app: &Arc<App>,
    caller: &Caller,
    mut request: Request,
    params: &Params,
) -> Result<Response, Problem> {
    let (skill, version): (Coordinate, Version) = (params.skill()?, params.parse("version")?);
    let Reason { reason } = crate::body::json(&mut request, app.settings.http.json).await?;
    let input = Yank { skill: skill.clone(), version: version.clone(), reason };
    let done = commit(app, caller.of(&request), move |context| yank::yank(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), version_shown(app, &skill, &version)?).await)
}

/// `DELETE …/versions/{version}/yank`.
pub async fn unyank(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let (skill, version): (Coordinate, Version) = (params.skill()?, params.parse("version")?);
    let input = Unyank { skill: skill.clone(), version: version.clone() };
    let done = commit(app, by, move |context| yank::undo(context, &input)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), version_shown(app, &skill, &version)?).await)
}

/// `DELETE /api/v1/skills/{namespace}/{slug}`.
pub async fn remove(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let done = commit(app, by, move |context| remove_skill::remove(context, &skill)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), no_content()).await)
}

/// `POST …/restore`.
pub async fn restore(app: &Arc<App>, by: registry::Caller, params: &Params) -> Result<Response, Problem> {
    let skill: Coordinate = params.skill()?;
    let c = skill.clone();
    let done = commit(app, by, move |context| remove_skill::restore(context, &c)).await?;
    Ok(reply_with_revision(app, Receipt::from(&done), shown(app, &skill)?).await)
}
