//! MCP over standard input and output.

use std::io;

use rmcp::ServiceExt;
use rmcp::transport::io::stdio_pipes;

use crate::SkillServer;

/// Answers requests until standard input ends.
pub async fn serve(server: SkillServer) -> io::Result<()> {
    let running = server.serve(stdio_pipes()).await.map_err(io::Error::other)?;
    running.waiting().await.map(|_| ()).map_err(io::Error::other)
}
