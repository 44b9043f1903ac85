//! Yanking versions, removing and restoring skills.

use super::prelude::*;
use registry::api::public::{SkillDetail, VersionRecord};
use registry::names::{Coordinate, Version};
use registry::ops::versions::{self, Unyank, Yank};
use registry::ops::{self, skills};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/v1/skills/{namespace}/{slug}/versions/{version}/yank", MANAGE, yank)
            .describe("yank", "Yanks a version: nothing resolves to it, but its exact download still works.")
            .optional_body::<Reason>().replies::<VersionRecord<'_>>(200).waits_for_tree()
            .fails(&[Code::Conflict, Code::Gone]),
        delete("/api/v1/skills/{namespace}/{slug}/versions/{version}/yank", MANAGE, unyank)
            .describe("unyank", "Makes a yanked version available again.")
            .replies::<VersionRecord<'_>>(200).waits_for_tree().fails(&[Code::Conflict, Code::Gone]),
        delete("/api/v1/skills/{namespace}/{slug}", MANAGE, remove)
            .describe("removeSkill", "Removes a skill. Its name stays reserved for its author.")
            .replies_nothing().waits_for_tree().fails(&[Code::Conflict, Code::Gone]),
        post("/api/v1/skills/{namespace}/{slug}/restore", MANAGE, restore)
            .describe("restoreSkill", "Restores a removed skill as it was.")
            .replies::<SkillDetail<'_>>(200).waits_for_tree().fails(&[Code::Conflict, Code::Gone]),
    ]
}

/// A response with the current record of a skill.
pub(super) fn skill_reply(call: &Call, coordinate: &Coordinate) -> Result<Response, Problem> {
    let base = call.app.settings.public_url.path();
    call.read(|catalog| {
        let skill = ops::skill(catalog, coordinate)?;
        json(StatusCode::OK, &SkillDetail::new(catalog.public, skill, base))
    })
}

fn version_reply(call: &Call, coordinate: &Coordinate, version: &Version) -> Result<Response, Problem> {
    let base = call.app.settings.public_url.path();
    call.read(|catalog| {
        let skill = ops::skill(catalog, coordinate)?;
        let entry = ops::version(skill, version)?;
        json(StatusCode::OK, &VersionRecord::new(catalog.public, skill, entry, base))
    })
}

/// Why a version is yanked.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Reason {
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schemars(length(max = 2048)))]
    reason: Option<String>,
}

async fn yank(mut call: Call) -> Result<Response, Problem> {
    let (skill, version): (_, Version) = (call.skill()?, call.param("version")?);
    let Reason { reason } = call.json().await?;
    let input = Yank { skill: skill.clone(), version: version.clone(), reason };
    let done = call.commit(versions::yank, input).await?;
    call.finish(&done, version_reply(&call, &skill, &version)?).await
}

async fn unyank(call: Call) -> Result<Response, Problem> {
    let (skill, version): (_, Version) = (call.skill()?, call.param("version")?);
    let input = Unyank { skill: skill.clone(), version: version.clone() };
    let done = call.commit(versions::unyank, input).await?;
    call.finish(&done, version_reply(&call, &skill, &version)?).await
}

async fn remove(call: Call) -> Result<Response, Problem> {
    let done = call.commit(skills::remove, call.skill()?).await?;
    call.no_content(&done).await
}

async fn restore(call: Call) -> Result<Response, Problem> {
    let skill = call.skill()?;
    let done = call.commit(skills::restore, skill.clone()).await?;
    call.finish(&done, skill_reply(&call, &skill)?).await
}
