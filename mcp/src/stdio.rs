//! MCP over standard input and output.

use std::io;

use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;

use crate::SkillServer;

/// The error if the other side does not speak MCP.
const NO_AGENT: &str = "no agent has spoken MCP on standard input: an agent starts this command by itself, so add \
                        it to the agent's settings";

/// Answers requests until standard input ends.
pub async fn serve(server: SkillServer) -> io::Result<()> {
    let running = server.serve(stdio_pipes()).await.map_err(|_| io::Error::other(NO_AGENT))?;
    running
        .waiting()
        .await
        .map(|_| ())
        .map_err(|_| io::Error::other("the conversation with the agent broke off"))
}
