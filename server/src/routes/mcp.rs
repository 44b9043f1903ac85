//! The endpoint for agents.

use super::prelude::*;
use crate::mcp_endpoint::PATH;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post(PATH, Access::Reader, answer)
            .describe("mcp", "Answers a message of the Model Context Protocol (streamable HTTP, without sessions).")
            .body::<McpMessage>().replies::<McpMessage>(200).replies_otherwise()
            .fails(&[Code::Forbidden])
            .uncounted(),
    ]
}

/// A JSON-RPC message of the Model Context Protocol.
#[derive(Deserialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct McpMessage {}

/// Only reads, so it is not counted as a write.
async fn answer(mut call: Call) -> Result<Response, Problem> {
    call.app.mcp.answer(&mut call.request).await
}
