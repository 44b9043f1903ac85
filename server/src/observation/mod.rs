//! What is noted of each request: metrics, and the access log.

pub mod access_log;
mod logged_text;
mod requests;

use std::time::{Duration, Instant};

use hyper::body::{Body, Incoming};
use hyper::header::{HeaderMap, USER_AGENT};
use hyper::{Method, Uri};
use registry::time::Timestamp;

use self::access_log::{AccessLog, Line};
pub(crate) use self::requests::RequestMetrics;
use crate::Response;
use crate::request::Arrival;
use crate::request::client_address::TrustedProxies;

/// The status that is noted if the client went away before the response: nginx has it.
const CLIENT_CLOSED: u16 = 499;

/// The route of a response that needed none: it was in memory.
const IN_MEMORY: RouteLabel = RouteLabel("memory");

/// The name of the route that answered, as an extension of the response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct RouteLabel(pub(crate) &'static str);

/// Notes requests.
#[derive(Debug, Clone, Default)]
pub struct RequestObserver {
    /// `None` without a listener for metrics.
    pub(crate) metrics: Option<RequestMetrics>,
    /// `None` if there is no access log.
    pub access_log: Option<AccessLog>,
    /// Who may name the client.
    pub(crate) proxies: TrustedProxies,
}

impl RequestObserver {
    /// Whether anything is noted.
    pub(crate) fn is_on(&self) -> bool {
        self.metrics.is_some() || self.access_log.is_some()
    }

    /// Begins to observe a request.
    pub(crate) fn begin(self, request: &hyper::Request<Incoming>) -> Exchange {
        let logged = self.access_log.as_ref().map(|_| self.logged(request));
        let (method, started) = (request.method().clone(), Instant::now());
        Exchange { observer: self, method, started, logged, is_noted: false }
    }

    fn logged(&self, request: &hyper::Request<Incoming>) -> Logged {
        let arrival = request.extensions().get::<Arrival>();
        let headers = request.headers();
        let client = arrival.and_then(|arrival| {
            self.proxies.client(arrival.peer.ip(), arrival.connection.number, headers).known()
        });
        let client = client.map(|client| client.to_string());
        Logged { client, target: request.uri().clone(), agent: agent_of(headers) }
    }
}

fn agent_of(headers: &HeaderMap) -> Option<String> {
    Some(logged_text::header(String::from_utf8_lossy(headers.get(USER_AGENT)?.as_bytes())))
}

/// What the access log shows of a request.
struct Logged {
    client: Option<String>,
    target: Uri,
    agent: Option<String>,
}

/// A request that is being answered. If it is dropped before its response, the client has gone.
pub(crate) struct Exchange {
    observer: RequestObserver,
    method: Method,
    started: Instant,
    logged: Option<Logged>,
    is_noted: bool,
}

impl Exchange {
    /// Notes the response.
    pub(crate) fn end(mut self, response: &Response) {
        let route = response.extensions().get::<RouteLabel>().copied().unwrap_or(IN_MEMORY);
        let id = response.headers().get("x-request-id").and_then(|id| id.to_str().ok());
        self.note(route, response.status().as_u16(), response.body().size_hint().exact(), id);
    }

    fn note(&mut self, route: RouteLabel, status: u16, bytes: Option<u64>, id: Option<&str>) {
        self.is_noted = true;
        let elapsed: Duration = self.started.elapsed();
        if let Some(metrics) = &self.observer.metrics {
            metrics.answered(route, &self.method, status, elapsed);
        }
        if let (Some(log), Some(logged)) = (&self.observer.access_log, &self.logged) {
            let Logged { client, target, agent } = logged;
            let target = target.path_and_query().map_or(target.path(), |target| target.as_str());
            log.write(&Line {
                at: Timestamp::now(),
                id,
                client: client.as_deref(),
                method: self.method.as_str(),
                target: &logged_text::target(target),
                route: route.0,
                status,
                bytes,
                seconds: elapsed.as_secs_f64(),
                agent: agent.as_deref(),
            });
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        if !self.is_noted {
            self.note(RouteLabel("none"), CLIENT_CLOSED, None, None);
        }
    }
}
