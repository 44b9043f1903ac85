//! Removes unreferenced packages once a day.

use std::sync::Arc;
use std::time::Duration;

use registry::maintenance::GcReport;
use registry::{Registry, with_causes};

/// The pause before the first run, so that it does not slow down the start.
const FIRST_DELAY: Duration = Duration::from_secs(10 * 60);
/// The pause between two runs, and the minimum age of a package to remove.
const INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes unreferenced packages, every day for as long as it is polled.
pub async fn run(registry: Arc<Registry>) {
    let mut pause = FIRST_DELAY;
    loop {
        tokio::time::sleep(pause).await;
        pause = INTERVAL;
        let registry = Arc::clone(&registry);
        match tokio::task::spawn_blocking(move || registry.collect_garbage(INTERVAL)).await {
            Ok(Ok(GcReport { removed, is_complete })) => {
                if !removed.is_empty() {
                    tracing::info!(packages = removed.len(), "removed unreferenced packages");
                }
                if !is_complete {
                    tracing::debug!(
                        "skipped the removal of unreferenced packages: another process reads or removes them"
                    );
                }
            }
            Ok(Err(error)) => {
                tracing::warn!(error = %with_causes(&error), "cannot remove unreferenced packages")
            }
            // The server ends, or a panic that the panic hook has logged.
            Err(error) => {
                tracing::warn!(error = %with_causes(&error), "the removal of unreferenced packages ended early")
            }
        }
    }
}

#[cfg(test)]
mod tests;
