//! Health checks for load balancers and supervisors.

use std::sync::Arc;
use std::time::Duration;

use super::prelude::*;
use registry::journal::Revision;
use serde::Serialize;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        get("/healthz", Access::Anyone, health)
            .describe("health", "Says that the process runs.")
            .replies::<Health>(200),
        get("/readyz", Access::Anyone, ready)
            .describe(
                "ready",
                "Says that writes are accepted and the tree follows the journal; otherwise 503.",
            ).replies::<Ready>(200),
    ]
}

/// The process runs.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct Health {
    status: &'static str,
}

/// The server accepts writes and its tree follows the journal.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
struct Ready {
    status: &'static str,
    /// The last public revision.
    revision: Revision,
    /// The last public revision in the tree; null if this server writes no tree.
    mirror_revision: Option<Revision>,
}

async fn health(_: Call) -> Result<Response, Problem> {
    json(StatusCode::OK, &Health { status: "ok" })
}

/// Anyone may ask, so a 503 names the documents that cannot be written but not
/// the reasons, which are in the log.
async fn ready(call: Call) -> Result<Response, Problem> {
    let app = &call.app;
    let registry = Arc::clone(&app.registry);
    // Waits while a write is being applied.
    let revision = blocking(move || Ok(registry.public().read().revision())).await?;
    let progress = app.publisher.progress();
    let mut failures = Vec::new();
    if !app.registry.is_writable() {
        failures.push(
            "The disk of the data folder accepts no writes: they are refused until it does; reads still work."
                .to_owned(),
        );
    }
    if let Some(failure) = &progress.failure {
        failures.push(format!("The tree is behind the journal: {}.", failure.public));
    }
    if !failures.is_empty() {
        return Err(Problem::unavailable(failures.join(" "), Duration::from_secs(5)));
    }
    let mirror_revision = app.settings.mirror.then_some(progress.revision);
    json(StatusCode::OK, &Ready { status: "ready", revision, mirror_revision })
}
