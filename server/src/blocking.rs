//! Work that may block a thread.

use crate::problem::Problem;

/// Runs work that may wait for a disk or a lock on a thread where it blocks no
/// other request.
pub async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, Problem> + Send + 'static,
) -> Result<R, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?
}
