//! What clients report about their use. It is answered, and nothing of it is read or kept.

use serde_json::json;

use super::super::prelude::*;

pub(super) async fn ignore(_call: Call) -> Result<Response, Problem> {
    json(StatusCode::OK, &json!({ "ok": true }))
}
