//! Reads of a client that has written through another server: `X-Min-Revision`.

use std::sync::Arc;
use std::time::Duration;

use hyper::header::HeaderName;
use hyper::{HeaderMap, Method};
use registry::journal::Revision;
use tokio::time::{Instant, sleep, timeout_at};

use crate::app::App;
use crate::blocking::blocking;
use crate::problem::Problem;

static X_MIN_REVISION: HeaderName = HeaderName::from_static("x-min-revision");

/// How long a request waits for the revision that it names.
const TIMEOUT: Duration = Duration::from_secs(5);

/// How often it looks whether the background thread has read that revision.
const LOOK_INTERVAL: Duration = Duration::from_millis(20);

/// Whether a request names a revision that its response must include.
pub(crate) fn is_named(headers: &HeaderMap) -> bool {
    headers.contains_key(&X_MIN_REVISION)
}

/// Waits until this server has the revision that a request names: in memory and, for a request that
/// may read the tree, in the documents of the changed skills.
///
/// Errors: 400 if the header is no number. 503 if the server does not have the revision in time.
pub(crate) async fn wait(app: &App, method: &Method, headers: &HeaderMap) -> Result<(), Problem> {
    let Some(wanted) = named(headers)? else { return Ok(()) };
    let deadline = Instant::now() + TIMEOUT;
    let Ok(followed) = timeout_at(deadline, follow(app, wanted)).await else { return Err(missing(wanted)) };
    let public = wanted.min(followed?);
    let left = deadline.duration_since(Instant::now());
    let is_shown =
        !method.is_safe() || !app.settings.mirror || app.publisher.wait_for_all_up_to(public, left).await;
    if is_shown { Ok(()) } else { Err(missing(wanted)) }
}

fn named(headers: &HeaderMap) -> Result<Option<Revision>, Problem> {
    let mut values = headers.get_all(&X_MIN_REVISION).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    let revision = value.to_str().ok().and_then(|text| text.parse().ok());
    let revision = revision.filter(|_| values.next().is_none());
    revision.map(Some).ok_or_else(|| {
        Problem::invalid("The header `X-Min-Revision` is wrong: send the number of an `X-Revision`, once.")
    })
}

/// Waits until the catalog has a revision. Returns the last public one.
async fn follow(app: &App, wanted: Revision) -> Result<Revision, Problem> {
    let registry = &app.registry;
    if registry.revision() < wanted {
        let reading = Arc::clone(registry);
        // Only so that it need not wait for the background thread, which meets the same failure. Anyone can
        // send the header, so each request reads the journal once.
        blocking(move || {
            let _ = reading.try_catch_up();
            Ok(())
        })
        .await?;
    }
    while registry.revision() < wanted {
        sleep(LOOK_INTERVAL).await;
    }
    let public = registry.public();
    // Waits while a write is being applied.
    blocking(move || Ok(public.read().revision())).await
}

fn missing(wanted: Revision) -> Problem {
    let detail = format!(
        "This server does not have revision {wanted} yet: try again, or leave out the header `X-Min-Revision`."
    );
    Problem::unavailable(detail, Duration::from_secs(1))
}
