//! Running a server.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, OptionFuture};
use hyper::{HeaderMap, Method, Uri};
use registry::with_causes;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::app::App;
use crate::connection::http_service;
use crate::connection::http_service::Dispatch;
use crate::metrics::{self, Reading};
use crate::observation::RequestObserver;
use crate::problem::Problem;
use crate::request::Request;
use crate::request::http_limits::RequestLimits;
use crate::security::closed_reads;
use crate::tree_updates::gc_timer;
use crate::{Response, expired_data, private_namespaces, reads};

/// The listeners of a server.
pub struct Listeners {
    /// The API, the tree and its pages.
    pub main: TcpListener,
    /// Metrics.
    pub metrics: Option<TcpListener>,
}

/// Serves until `shutdown` is ready and running requests have finished.
///
/// When `apps` has another server, it gets all new requests. Those that are running finish with the
/// server that they began with.
pub async fn serve(
    apps: watch::Receiver<Arc<App>>,
    listeners: Listeners,
    readings: impl Fn() -> Vec<Reading> + Send + Sync + 'static,
    shutdown: impl Future<Output = ()>,
) {
    let current = Current(apps);
    let app = current.app();
    let gc_timer = tokio::spawn(gc_timer::run(Arc::clone(&app.registry)));
    let expiry_timer = tokio::spawn(expired_data::remove_regularly(Arc::clone(&app)));
    let keep_open = tokio::spawn(private_namespaces::keep_open(current.0.clone()));
    let (limits, open, shutdown) = (&app.settings.http, &app.connections, shutdown.shared());
    let dispatch = Arc::new(current.clone());
    let main = http_service::serve_within(listeners.main, dispatch, limits, open.clone(), shutdown.clone());
    let metrics = listeners.metrics.map(|listener| {
        let readings = move || [metrics::of_app(&current.app()), readings()].concat();
        metrics::serve_with_requests(listener, app.observer.metrics.clone(), readings, shutdown.clone())
    });
    tokio::join!(main, OptionFuture::from(metrics));
    gc_timer.abort();
    expiry_timer.abort();
    keep_open.abort();
    let locals = app.private.all().into_iter().map(|(_, private)| Arc::clone(&private.local));
    for local in locals.chain([Arc::clone(&app.local)]) {
        if let Err(error) = local.flush() {
            tracing::warn!(error = %with_causes(&error), "cannot store when tokens were last used; the last minute is lost");
        }
    }
}

/// The server with the current settings.
#[derive(Clone)]
struct Current(watch::Receiver<Arc<App>>);

impl Current {
    fn app(&self) -> Arc<App> {
        Arc::clone(&self.0.borrow())
    }
}

impl Dispatch for Current {
    fn dispatch(self: Arc<Self>, request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        private_namespaces::dispatch(self.app(), request).map(Ok).boxed()
    }

    fn request_limits(&self) -> Option<RequestLimits> {
        Some(RequestLimits::of(&self.0.borrow().settings.http))
    }

    fn observer(&self) -> Option<RequestObserver> {
        let app = self.0.borrow();
        app.observer.is_on().then(|| app.observer.clone())
    }

    fn at_once(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
        // Settings do not change which documents are in memory.
        let app = self.0.borrow();
        if let Some(response) = private_namespaces::at_once(&app, method, target, headers) {
            return Some(response);
        }
        if app.reader.settings.is_closed() {
            return closed_reads::at_once(
                &app.authenticator.read_keys,
                &app.reader,
                (method, target, headers),
            );
        }
        reads::at_once(&app.reader.documents, method, target, headers)
    }
}
