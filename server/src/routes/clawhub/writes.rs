//! Who the caller is, and small changes of a skill: stars, tags, deleting it or a version, and undoing
//! that. A deleted skill is removed, and a deleted version is yanked.

use registry::names::{Coordinate, TagName, TolerantVersion, Version};
use registry::ops::versions::{self, Unyank, Yank};
use registry::ops::{skills, stars, tags};
use serde_json::json;

use super::super::prelude::*;
use super::body::{Fields, fields, skill};

pub(super) fn routes() -> [Route; 8] {
    [
        get("/clawhub/api/v1/whoami", Access::Credential, whoami),
        post("/clawhub/api/v1/stars/{slug}", SOCIAL, star),
        delete("/clawhub/api/v1/stars/{slug}", SOCIAL, unstar),
        post("/clawhub/api/v1/skills/{slug}/tags/{tag}", MANAGE, set_tag),
        delete("/clawhub/api/v1/skills/{slug}", MANAGE, remove),
        post("/clawhub/api/v1/skills/{slug}/undelete", MANAGE, restore),
        delete("/clawhub/api/v1/skills/{slug}/versions/{version}", MANAGE, yank),
        post("/clawhub/api/v1/skills/{slug}/versions/{version}/restore", MANAGE, unyank),
    ]
}

async fn whoami(call: Call) -> Result<Response, Problem> {
    let handle = call.caller()?.handle()?;
    call.read(|catalog| {
        let user = catalog.private.user(handle).ok_or_else(Problem::unauthenticated)?;
        let user = json!({ "handle": user.handle, "displayName": user.display_name, "role": user.role });
        json(StatusCode::OK, &json!({ "user": user }))
    })
}

async fn star(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(stars::add, skill(&call, &fields)?).await?;
    let record = json!({ "ok": true, "starred": true, "alreadyStarred": done.revision.is_none() });
    call.reply(StatusCode::OK, &done, &record).await
}

async fn unstar(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(stars::remove, skill(&call, &fields)?).await?;
    let record = json!({ "ok": true, "unstarred": true, "alreadyUnstarred": done.revision.is_none() });
    call.reply(StatusCode::OK, &done, &record).await
}

async fn set_tag(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let skill = skill(&call, &fields)?;
    let tag: TagName = parse_field("tag", call.params.get("tag").unwrap_or_default())?;
    let version =
        fields.version.ok_or_else(|| Problem::missing_field("version", "say where the tag shall point"))?;
    let TolerantVersion { version, .. } = parse_field("version", &version)?;
    let record = json!({ "ok": true, "slug": skill, "tag": tag, "version": version });
    if tag.is_latest() {
        check_latest(&call, &skill, &version)?;
        return json(StatusCode::OK, &record);
    }
    let done = call.commit(tags::set, tags::SetTag { skill, tag, version }).await?;
    call.reply(StatusCode::OK, &done, &record).await
}

/// Refuses to move the tag `latest`, which clients do unless told otherwise. It follows the versions
/// by itself.
fn check_latest(call: &Call, skill: &Coordinate, version: &Version) -> Result<(), Problem> {
    let is_latest = call.read(|catalog| {
        let skill = registry::ops::skill(catalog, skill)?;
        Ok::<_, Problem>(skill.latest().is_some_and(|latest| latest.version == *version))
    })?;
    match is_latest {
        true => Ok(()),
        false => Err(Problem::conflict(
            "The tag latest follows the highest version by itself: name another tag with --tag.",
        )),
    }
}

/// The registry keeps no reason for it.
async fn remove(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(skills::remove, skill(&call, &fields)?).await?;
    call.reply(StatusCode::OK, &done, &json!({ "ok": true })).await
}

async fn restore(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(skills::restore, skill(&call, &fields)?).await?;
    call.reply(StatusCode::OK, &done, &json!({ "ok": true })).await
}

async fn yank(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let (skill, version): (_, Version) = (skill(&call, &fields)?, call.param("version")?);
    let Fields { reason, .. } = fields;
    let done = call.commit(versions::yank, Yank { skill, version, reason }).await?;
    call.reply(StatusCode::OK, &done, &json!({ "ok": true })).await
}

async fn unyank(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let (skill, version): (_, Version) = (skill(&call, &fields)?, call.param("version")?);
    let done = call.commit(versions::unyank, Unyank { skill, version }).await?;
    call.reply(StatusCode::OK, &done, &json!({ "ok": true })).await
}
