//! Tags of a skill.

use registry::names::{Coordinate, TagName, TolerantVersion, Version};
use registry::ops::tags::{self, SetTag};
use serde_json::json;

use super::super::prelude::*;
use super::body::{fields, skill};

pub(super) fn routes() -> [Route; 1] {
    [post("/clawhub/api/v1/skills/{slug}/tags/{tag}", MANAGE, set)]
}

async fn set(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let skill = skill(&call, &fields)?;
    let tag: TagName = parse_field("tag", call.params.get("tag").unwrap_or_default())?;
    let version =
        fields.version.ok_or_else(|| Problem::missing_field("version", "say where the tag shall point"))?;
    let TolerantVersion { version, .. } = parse_field("version", &version)?;
    if tag.is_latest() {
        return latest(&call, &skill, &version);
    }
    let record = json!({ "ok": true, "slug": skill, "tag": tag, "version": version });
    let done = call.commit(tags::set, SetTag { skill, tag, version }).await?;
    call.reply(StatusCode::OK, &done, &record).await
}

/// Clients move this tag unless told otherwise. It follows the versions by itself.
fn latest(call: &Call, skill: &Coordinate, version: &Version) -> Result<Response, Problem> {
    let latest = call.read(|catalog| {
        let skill = registry::ops::skill(catalog, skill)?;
        Ok::<_, Problem>(skill.latest().map(|latest| latest.version.clone()))
    })?;
    match latest {
        Some(latest) if latest == *version => json(
            StatusCode::OK,
            &json!({ "ok": true, "slug": skill, "tag": TagName::latest(), "version": version }),
        ),
        _ => Err(Problem::conflict(
            "The tag latest follows the highest version by itself: name another tag with --tag.",
        )),
    }
}
