//! What clients report about their use. It is answered, and nothing of it is read or kept.

use serde_json::json;

use super::super::prelude::*;

/// At the root, and below the URL of the ClawHub dialect for clients that keep its path.
pub(super) const PATHS: [&str; 4] = [
    "/api/cli/telemetry/sync",
    "/api/cli/telemetry/install",
    "/clawhub/api/cli/telemetry/sync",
    "/clawhub/api/cli/telemetry/install",
];

/// Not counted as a write: clients send one for each installation, and would wait when refused.
pub(super) async fn ignore(_call: Call) -> Result<Response, Problem> {
    json(StatusCode::OK, &json!({ "ok": true }))
}
