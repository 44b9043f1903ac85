//! A server from its first to its last request.

use std::sync::Arc;

use tokio::net::TcpListener;

use crate::state::App;
use crate::{dispatch, edge, keeping};

/// Serves until `shutdown` is ready and running requests are done.
pub async fn serve(app: Arc<App>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let answering = Arc::clone(&app);
    let answer = move |request| dispatch::dispatch(Arc::clone(&answering), request);
    let kept = tokio::spawn(keeping::keep(Arc::clone(&app.registry)));
    edge::serve(listener, Arc::new(answer), &app.settings.edge, shutdown).await;
    kept.abort();
    if let Err(error) = app.local.flush() {
        tracing::warn!(%error, "when tokens were used last is not known for the last minute");
    }
}
