//! Running a server.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use hyper::{HeaderMap, Method, Uri};
use tokio::net::TcpListener;

use crate::connection::http_service;
use crate::connection::http_service::Dispatch;
use crate::problem::Problem;
use crate::publishing::gc_timer;
use crate::request::Request;
use crate::state::App;
use crate::{Response, dispatch, reads};

/// Serves until `shutdown` is ready and running requests have finished.
pub async fn serve(app: Arc<App>, listener: TcpListener, shutdown: impl Future<Output = ()>) {
    let service = Arc::new(AppService(Arc::clone(&app)));
    let gc_timer = tokio::spawn(gc_timer::run(Arc::clone(&app.registry)));
    http_service::serve(listener, service, &app.settings.http, shutdown).await;
    gc_timer.abort();
    if let Err(error) = app.local.flush() {
        tracing::warn!(%error, "cannot store when tokens were last used; the last minute is lost");
    }
}

struct AppService(Arc<App>);

impl Dispatch for AppService {
    fn dispatch(&self, request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        dispatch::dispatch(Arc::clone(&self.0), request).map(Ok).boxed()
    }

    fn at_once(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
        reads::at_once(&self.0.reader.documents, method, target, headers)
    }
}
