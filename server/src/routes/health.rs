//! Whether the server lives, and whether it does its work.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use registry::journal::Revision;
use serde::Serialize;

use crate::Response;
use crate::problem::Problem;
use crate::reply::{blocking, json};
use crate::state::App;

/// The process answers.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub(crate) struct Health {
    status: &'static str,
}

/// The server does its work.
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub(crate) struct Ready {
    status: &'static str,
    /// The last public revision.
    revision: Revision,
    /// The tree's; null where this server keeps none.
    mirror_revision: Option<Revision>,
}

/// `GET /healthz`: the process answers.
pub fn health() -> Result<Response, Problem> {
    json(StatusCode::OK, &Health { status: "ok" })
}

/// `GET /readyz`: writes are taken and the tree follows the journal, else 503.
/// Anyone may ask, so it says which documents fail; why they do is in the log.
pub async fn ready(app: &Arc<App>) -> Result<Response, Problem> {
    let registry = Arc::clone(&app.registry);
    // Where a write is being applied, this waits for it.
    let revision = blocking(move || Ok(registry.public().read().revision())).await?;
    let progress = app.publisher.progress();
    let mut wrong = Vec::new();
    if !app.registry.is_writable() {
        wrong.push(
            "The data folder's disk takes no writes: they are refused until it does, and reads go on."
                .to_owned(),
        );
    }
    if let Some(failure) = &progress.failure {
        wrong.push(format!("The tree is behind the journal: {}.", failure.public));
    }
    if !wrong.is_empty() {
        return Err(Problem::unavailable(wrong.join(" "), Duration::from_secs(5)));
    }
    let mirror_revision = app.settings.mirror.then_some(progress.revision);
    json(StatusCode::OK, &Ready { status: "ready", revision, mirror_revision })
}
