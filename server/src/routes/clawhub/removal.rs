//! Deleting skills and versions, and undoing that. A deleted skill is removed, and a deleted version
//! is yanked.

use registry::names::Version;
use registry::ops::skills;
use registry::ops::versions::{self, Unyank, Yank};

use super::super::prelude::*;
use super::body::{Done, Fields, fields, skill};

pub(super) fn routes() -> [Route; 4] {
    [
        delete("/clawhub/api/v1/skills/{slug}", MANAGE, remove),
        post("/clawhub/api/v1/skills/{slug}/undelete", MANAGE, restore),
        delete("/clawhub/api/v1/skills/{slug}/versions/{version}", MANAGE, yank),
        post("/clawhub/api/v1/skills/{slug}/versions/{version}/restore", MANAGE, unyank),
    ]
}

/// The registry keeps no reason for it.
async fn remove(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(skills::remove, skill(&call, &fields)?).await?;
    call.reply(StatusCode::OK, &done, &Done::OK).await
}

async fn restore(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let done = call.commit(skills::restore, skill(&call, &fields)?).await?;
    call.reply(StatusCode::OK, &done, &Done::OK).await
}

async fn yank(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let (skill, version): (_, Version) = (skill(&call, &fields)?, call.param("version")?);
    let Fields { reason, .. } = fields;
    let done = call.commit(versions::yank, Yank { skill, version, reason }).await?;
    call.reply(StatusCode::OK, &done, &Done::OK).await
}

async fn unyank(mut call: Call) -> Result<Response, Problem> {
    let fields = fields(&mut call).await?;
    let (skill, version): (_, Version) = (skill(&call, &fields)?, call.param("version")?);
    let done = call.commit(versions::unyank, Unyank { skill, version }).await?;
    call.reply(StatusCode::OK, &done, &Done::OK).await
}
