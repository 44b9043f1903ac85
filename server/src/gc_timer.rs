//! Once a day, packages that nothing names are removed.

use std::sync::Arc;
use std::time::Duration;

use registry::Registry;
use registry::maintenance::GcReport;

/// How long after the start the first time is: first things first.
const FIRST: Duration = Duration::from_secs(10 * 60);
/// How long after each time the next is, and how old a package has to be.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes what nothing names, every day for as long as it is polled.
pub async fn run(registry: Arc<Registry>) {
    let mut pause = FIRST;
    loop {
        tokio::time::sleep(pause).await;
        pause = DAY;
        let registry = Arc::clone(&registry);
        match tokio::task::spawn_blocking(move || registry.collect_garbage(DAY)).await {
            Ok(Ok(GcReport { removed, is_complete })) => {
                if !removed.is_empty() {
                    tracing::info!(packages = removed.len(), "removed packages that no version names");
                }
                if !is_complete {
                    tracing::debug!("another process reads or removes packages: they are left to it today");
                }
            }
            Ok(Err(error)) => tracing::warn!(%error, "packages that no version names could not be removed"),
            // Ended with the server, or by a panic, of which its hook has told.
            Err(error) => tracing::warn!(%error, "the removal of packages that no version names ended early"),
        }
    }
}

#[cfg(test)]
mod tests;
