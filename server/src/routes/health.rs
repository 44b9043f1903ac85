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

/// `GET /readyz`: writes are taken and the tree follows the journal, else 503.
/// Anyone may ask, so it says which documents fail; why they do is in the log.
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
    let mut wrong = Vec::new();
    if !app.registry.takes_writes() {
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
