//! Whether the server lives, and whether it does its work.

use std::sync::Arc;
use std::time::Duration;

use hyper::StatusCode;
use registry::journal::Revision;
use serde::Serialize;

use crate::Response;
use crate::answer::json;
use crate::problem::Problem;
use crate::state::App;

/// `GET /healthz`: the process answers.
pub fn health() -> Result<Response, Problem> {
    #[derive(Serialize)]
    struct Health {
        status: &'static str,
    }
    json(StatusCode::OK, &Health { status: "ok" })
}

/// `GET /readyz`: the tree follows the journal, else 503. Anyone may ask, so it
/// says which documents fail; why they do is in the log.
pub fn ready(app: &Arc<App>) -> Result<Response, Problem> {
    #[derive(Serialize)]
    #[serde(rename_all = "camelCase")]
    struct Ready {
        status: &'static str,
        revision: Revision,
        mirror_revision: Option<Revision>,
    }
    let revision = app.registry.public().read().revision();
    let progress = app.mirroring.progress();
    if let Some(failure) = &progress.failure {
        let detail = format!("The tree is behind the journal: {}.", failure.public);
        return Err(Problem::unavailable(detail, Duration::from_secs(5)));
    }
    let mirror_revision = app.settings.mirror.then_some(progress.revision);
    json(StatusCode::OK, &Ready { status: "ready", revision, mirror_revision })
}
