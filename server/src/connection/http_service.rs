//! The service of a connection: makes a [`Request`], dispatches it, finishes the response.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Either, ready};
use hyper::body::Incoming;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::service::{Service, service_fn};
use hyper::{Method, Uri};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tracing::Instrument;
use warp::{Filter, Reply};

use crate::Response;
use crate::connection::accept;
use crate::connection::open_connections::OpenConnections;
use crate::observation::RequestObserver;
use crate::problem::Problem;
use crate::request::http_limits::{HttpLimits, RequestLimits};
use crate::request::{self, Request, unambiguous};
use crate::response_headers::cache_control::CacheClass;
use crate::response_headers::request_id::RequestId;

/// Answers requests. Implemented by every
/// `Fn(Request) -> impl Future<Output = Result<Response, Problem>>`.
pub trait Dispatch: Send + Sync + 'static {
    /// Answers one request.
    fn dispatch(self: Arc<Self>, request: Request) -> BoxFuture<'static, Result<Response, Problem>>;

    /// The limits of the next request, if they differ from those that the listener began with.
    fn request_limits(&self) -> Option<RequestLimits> {
        None
    }

    /// Notes requests and their responses, if somebody wants to know.
    fn observer(&self) -> Option<RequestObserver> {
        None
    }

    /// Answers a request from memory if that needs neither waiting nor
    /// authentication.
    fn at_once(&self, _method: &Method, _target: &Uri, _headers: &HeaderMap) -> Option<Response> {
        None
    }
}

impl<F, A> Dispatch for F
where
    F: Fn(Request) -> A + Send + Sync + 'static,
    A: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    fn dispatch(self: Arc<Self>, request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        self(request).boxed()
    }
}

/// Serves `dispatch` on `listener` until `shutdown` is ready and running requests
/// have finished or timed out.
pub async fn serve(
    listener: TcpListener,
    dispatch: Arc<dyn Dispatch>,
    limits: &HttpLimits,
    shutdown: impl Future<Output = ()>,
) {
    let open = Arc::new(OpenConnections::new(limits.connections, limits.connections_per_client));
    serve_within(listener, dispatch, limits, open, shutdown).await;
}

/// Like [`serve`], for a listener that shares the limits on connections with others.
pub(crate) async fn serve_within(
    listener: TcpListener,
    dispatch: Arc<dyn Dispatch>,
    limits: &HttpLimits,
    open: Arc<OpenConnections>,
    shutdown: impl Future<Output = ()>,
) {
    let (cached, asked, at_start) = (Arc::clone(&dispatch), Arc::clone(&dispatch), RequestLimits::of(limits));
    let all = request::any(move || asked.request_limits().unwrap_or_else(|| at_start.clone()))
        .then(move |request| answer(dispatch.clone(), request))
        .map(Reply::into_response)
        .boxed();
    let all = TowerToHyperService::new(warp::service(all));
    let service = service_fn(move |request: hyper::Request<Incoming>| {
        let exchange = cached.observer().map(|observer| observer.begin(&request));
        let at_once = match unambiguous::check(request.version(), request.headers()) {
            Err(why) => Some(refuse(why)),
            Ok(()) => cached
                .at_once(request.method(), request.uri(), request.headers())
                .map(|response| finish(response, &RequestId::random())),
        };
        let response = match at_once {
            Some(response) => Either::Left(ready(Ok(response))),
            None => Either::Right(all.call(request)),
        };
        async move {
            let response = response.await;
            if let (Some(exchange), Ok(response)) = (exchange, &response) {
                exchange.end(response);
            }
            response
        }
    });
    accept::run(listener, service, limits, open, shutdown).await;
}

/// The response to a request that could have several meanings. The connection ends, because what
/// follows on it may be a part of this request.
fn refuse(why: &'static str) -> Response {
    let id = RequestId::random();
    let mut response = finish(Problem::invalid(why).into_response(&id), &id);
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

async fn answer(dispatch: Arc<dyn Dispatch>, request: Request) -> Response {
    let id = request.id.clone();
    let span = tracing::info_span!("request", %id);
    let is_safe = request.method.is_safe();
    // Dropped with this future when the connection ends.
    let _waiting = request.client_presence.waits();
    let handler = async move { dispatch.dispatch(request).await }.instrument(span);
    let outcome = if is_safe {
        // A read is cancelled when its connection ends.
        AssertUnwindSafe(handler).catch_unwind().await.map_err(|panic| describe(&*panic))
    } else {
        // A write goes on when the client disconnects, so that none is done by half.
        tokio::spawn(handler).await.map_err(|error| match error.try_into_panic() {
            Ok(panic) => describe(&*panic),
            Err(error) => error.to_string(),
        })
    };
    let result =
        outcome.unwrap_or_else(|panic| Err(Problem::internal(format!("a handler panicked: {panic}"))));
    let response = result.unwrap_or_else(|problem| problem.into_response(&id));
    finish(response, &id)
}

fn describe(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message").to_owned()
}

/// Sets the headers of every response. Caches store none without `Cache-Control`.
fn finish(mut response: Response, id: &RequestId) -> Response {
    let headers = response.headers_mut();
    headers.insert(HeaderName::from_static("x-request-id"), id.header());
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(header::CACHE_CONTROL).or_insert_with(|| CacheClass::Private.header());
    response
}
