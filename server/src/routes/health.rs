//! Health checks for load balancers and supervisors.

use std::sync::Arc;
use std::time::Duration;

use super::prelude::*;
use generator::tree::TargetProgress;
use registry::journal::Revision;
use registry::time::Timestamp;
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
    /// The bucket that follows the tree; null if this server writes none.
    target: Option<ReadyTarget>,
}

/// How far the bucket is. The server is ready whatever it says, because it does not read from there.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct ReadyTarget {
    /// The address of the bucket.
    name: String,
    /// Whether this server writes the bucket. False: another server of the registry does, or this one waits
    /// a few seconds before it takes over.
    writer: bool,
    /// The last public revision in the bucket; null before the first comparison, and if another server writes it.
    revision: Option<Revision>,
    /// Documents that the bucket lacks or has otherwise, as far as known.
    waiting: u64,
    /// Why the last attempt to write to it failed; null after a success.
    failure: Option<ReadyTargetFailure>,
}

/// Why a bucket cannot be written.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
struct ReadyTargetFailure {
    /// The reason.
    message: String,
    /// The first failure since the last success.
    since: Timestamp,
}

impl ReadyTarget {
    fn of((name, progress): (String, TargetProgress)) -> Self {
        let failure = progress.failure;
        let failure = failure.map(|why| ReadyTargetFailure { message: why.public, since: why.since });
        let TargetProgress { is_writer: writer, revision, waiting, .. } = progress;
        Self { name, writer, revision, waiting, failure }
    }
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
        failures.push(format!(
            "{} accepts no writes: they are refused until it does; reads still work.",
            app.registry.refusing_store()
        ));
    }
    if let Some(failure) = &progress.failure {
        failures.push(format!("The tree is behind the journal: {}.", failure.public));
    }
    if !failures.is_empty() {
        return Err(Problem::unavailable(failures.join(" "), Duration::from_secs(5)));
    }
    let target = app.publisher.target_progress().map(ReadyTarget::of);
    let mirror_revision = app.settings.mirror.then_some(progress.revision);
    json(StatusCode::OK, &Ready { status: "ready", revision, mirror_revision, target })
}
