//! Answers to signed-in requests.

use std::sync::Arc;

use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{Response as HttpResponse, StatusCode};
use registry::access::Credential;
use registry::journal::Revision;
use registry::ops::{CommitContext, Decision, OpError};
use registry::time::Timestamp;
use registry::{Caller, Committed, Registry};
use serde::Serialize;

use crate::Response;
use crate::problem::Problem;
use crate::state::App;

static X_REVISION: HeaderName = HeaderName::from_static("x-revision");
static X_MIRROR_LAG: HeaderName = HeaderName::from_static("x-mirror-lag");

/// A JSON answer.
pub fn json(status: StatusCode, record: &impl Serialize) -> Result<Response, Problem> {
    let mut bytes = serde_json::to_vec(record).map_err(Problem::internal)?;
    bytes.push(b'\n');
    let mut response = HttpResponse::new(bytes.into());
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(response)
}

/// 204.
pub fn no_content() -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    response
}

/// What a write came to, without its answer.
#[derive(Debug, Clone, Copy)]
pub struct Receipt {
    revision: Option<Revision>,
    is_public: bool,
}

impl<R> From<&Committed<R>> for Receipt {
    fn from(committed: &Committed<R>) -> Self {
        Self { revision: committed.revision, is_public: committed.is_public }
    }
}

/// Finishes the answer to a write: names the revision, and where the change is
/// public waits until the tree holds it.
pub async fn reply_with_revision(app: &Arc<App>, receipt: Receipt, mut response: Response) -> Response {
    let Some(revision) = receipt.revision else { return response };
    response.headers_mut().insert(X_REVISION.clone(), revision.into());
    if receipt.is_public { wait_for_tree(app, revision, response).await } else { response }
}

/// Finishes an answer that speaks of a public revision: waits until the tree
/// holds it.
pub async fn wait_for_tree(app: &Arc<App>, revision: Revision, mut response: Response) -> Response {
    let timeout = app.settings.wait_timeout;
    if !app.settings.mirror {
        return response;
    }
    if timeout.is_zero() {
        app.publisher.wake();
        return response;
    }
    let lag = app.publisher.wait(revision, timeout).await;
    if lag > 0 {
        response.headers_mut().insert(X_MIRROR_LAG.clone(), lag.into());
    }
    response
}

/// Lets an operation decide and writes what it decides, where that blocks no
/// other request.
pub async fn commit<R: Send + 'static>(
    app: &Arc<App>,
    by: Caller,
    operation: impl FnMut(CommitContext<'_>) -> Result<Decision<R>, OpError> + Send + 'static,
) -> Result<Committed<R>, Problem> {
    let app = Arc::clone(app);
    blocking(move || {
        require_session(&app, &by)?;
        Ok(app.registry.commit(&by, operation)?)
    })
    .await
}

/// Refuses what is asked for in a session that has ended since the request
/// began to arrive. (A token is looked at again by the commit itself.)
pub fn require_session(app: &App, by: &Caller) -> Result<(), Problem> {
    let Credential::Session { id, .. } = &by.credential else { return Ok(()) };
    match app.local.is_session_active(id, Timestamp::now())? {
        true => Ok(()),
        false => Err(Problem::unauthenticated()),
    }
}

/// Checks something, and once more with what other processes have written where
/// that fails: they may have made it, or let someone in, a moment ago.
pub async fn check_again(
    app: &Arc<App>,
    check: impl Fn(&Registry) -> Result<(), Problem> + Send + 'static,
) -> Result<(), Problem> {
    if check(&app.registry).is_ok() {
        return Ok(());
    }
    let registry = Arc::clone(&app.registry);
    blocking(move || {
        registry.catch_up()?;
        check(&registry)
    })
    .await
}

/// Runs what may wait for a disk where it blocks no other request.
pub async fn blocking<R: Send + 'static>(
    work: impl FnOnce() -> Result<R, Problem> + Send + 'static,
) -> Result<R, Problem> {
    tokio::task::spawn_blocking(work).await.map_err(Problem::internal)?
}
