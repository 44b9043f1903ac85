//! Removes local data that has expired, such as sessions, logins with a code, and uploads that nobody published.

use std::sync::Arc;
use std::time::Duration;

use registry::time::Timestamp;
use registry::with_causes;

use crate::app::App;

/// The time between two removals.
const INTERVAL: Duration = Duration::from_secs(60);

/// Removes expired data once a minute, for as long as it is polled. After an error the next round tries
/// again.
pub(crate) async fn remove_regularly(app: Arc<App>) {
    loop {
        tokio::time::sleep(INTERVAL).await;
        let app = Arc::clone(&app);
        // A panic is logged by the panic hook.
        let _ = tokio::task::spawn_blocking(move || remove(&app)).await;
    }
}

fn remove(app: &App) {
    if let Err(error) = app.local.remove_expired(Timestamp::now()) {
        tracing::warn!(error = %with_causes(&error), "cannot remove expired data");
    }
}
