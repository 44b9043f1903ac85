//! Running a server.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::{HeaderMap, Method, Uri};
use registry::with_causes;
use tokio::net::TcpListener;

use crate::app::App;
use crate::connection::http_service;
use crate::connection::http_service::Dispatch;
use crate::problem::Problem;
use crate::request::Request;
use crate::tree_updates::gc_timer;
use crate::{Response, dispatch, reads};

/// Serves until `shutdown` is ready and running requests have finished.
pub async fn serve(app: Arc<App>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let gc_timer = tokio::spawn(gc_timer::run(Arc::clone(&app.registry)));
    http_service::serve(listener, app.clone(), &app.settings.http, shutdown).await;
    gc_timer.abort();
    if let Err(error) = app.local.flush() {
        tracing::warn!(error = %with_causes(&error), "cannot store when tokens were last used; the last minute is lost");
    }
}

impl Dispatch for App {
    fn dispatch(self: Arc<Self>, request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        dispatch::dispatch(self, request).map(Ok).boxed()
    }

    fn at_once(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
        reads::at_once(&self.reader.documents, method, target, headers)
    }
}
