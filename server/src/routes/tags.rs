//! Tags of a skill.

use super::prelude::*;
use registry::api::public::{FullList, TagRecord};
use registry::names::TolerantVersion;
use registry::ops::tags::{self, RemoveTag, SetTag};

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/api/v1/skills/{namespace}/{slug}/tags", READ, list)
            .describe("listTags", "Lists the tags of a skill, including `latest`.")
            .replies::<FullList<TagRecord>>(200).fails(&[Code::Gone]),
        put("/api/v1/skills/{namespace}/{slug}/tags/{tagName}", MANAGE, set)
            .describe("setTag", "Creates a tag (201) or moves it (200).")
            .body::<NewTag>().replies::<TagRecord>(200).replies::<TagRecord>(201).waits_for_tree()
            .fails(&[Code::Conflict, Code::Gone]),
        delete("/api/v1/skills/{namespace}/{slug}/tags/{tagName}", MANAGE, remove)
            .describe("removeTag", "Removes a tag.")
            .replies_nothing().waits_for_tree().fails(&[Code::InvalidRequest, Code::Conflict, Code::Gone]),
    ]
}

async fn list(call: Call) -> Result<Response, Problem> {
    let coordinate = call.skill()?;
    call.read(|catalog| {
        let skill = registry::ops::skill(catalog, &coordinate)?;
        let own = skill.tags.iter().map(|(name, entry)| TagRecord::new(catalog.public, name, entry));
        let all: Vec<_> = TagRecord::latest(skill).into_iter().chain(own).collect();
        json(StatusCode::OK, &FullList::from(all))
    })
}

/// Where a tag points.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct NewTag {
    #[cfg_attr(feature = "openapi", schemars(with = "TolerantVersion"))]
    version: String,
}

async fn set(mut call: Call) -> Result<Response, Problem> {
    let (skill, tag) = (call.skill()?, call.field("tagName")?);
    let body: NewTag = call.json().await?;
    let TolerantVersion { version, .. } = parse_field("version", &body.version)?;
    let done = call.commit(tags::set, SetTag { skill, tag, version }).await?;
    let status = if done.reply.is_new { StatusCode::CREATED } else { StatusCode::OK };
    call.reply(status, &done, &done.reply.record).await
}

async fn remove(call: Call) -> Result<Response, Problem> {
    let input = RemoveTag { skill: call.skill()?, tag: call.field("tagName")? };
    let done = call.commit(tags::remove, input).await?;
    call.no_content(&done).await
}
