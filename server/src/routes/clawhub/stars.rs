//! Stars.

use registry::ops::stars;
use serde_json::json;

use super::super::prelude::*;
use super::body::{fields, skill};

pub(super) fn routes() -> [Route; 2] {
    [
        post("/clawhub/api/v1/stars/{slug}", SOCIAL, star),
        delete("/clawhub/api/v1/stars/{slug}", SOCIAL, unstar),
    ]
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
