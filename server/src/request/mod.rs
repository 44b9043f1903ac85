//! A request as handlers see it, and the warp filter that makes it.

pub mod body;
pub mod client_address;
pub mod http_limits;
pub mod multipart;
mod path;
pub(crate) mod prefer;
mod presence;
pub(crate) mod unambiguous;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bytes::Buf;
use futures_util::TryStreamExt;
use generator::address::Document;
use hyper::{HeaderMap, Method, Uri};
use tokio_util::sync::CancellationToken;
use warp::Filter;

use self::body::Body;
use self::client_address::ClientAddress;
use self::http_limits::RequestLimits;
pub use self::path::Path;
pub use self::presence::ClientPresence;
use crate::connection::open_connections::ConnectionLink;
use crate::response_headers::request_id::RequestId;

/// A request whose body has not been read.
pub struct Request {
    /// The method, which may be an unknown one.
    pub method: Method,
    /// The path, decoded.
    pub path: Path,
    /// The query as it was sent, without the `?`; empty if there is none.
    pub query: String,
    /// The header. Never log it: it has credentials.
    pub headers: HeaderMap,
    /// The other end of the connection, which may be a proxy.
    pub peer: SocketAddr,
    /// The client, as far as the peer is trusted to name it.
    pub client: ClientAddress,
    /// Identifies the request in its response and in the log.
    pub id: RequestId,
    /// Whether the client still waits for the response.
    pub client_presence: ClientPresence,
    /// Closes the connection, for a response that holds what others need.
    pub disconnect: CancellationToken,
    /// The body. hyper sends `100 Continue` when it is read.
    pub body: Body,
}

impl Request {
    /// Whether it can change nothing: by its method, or as git reads with POST.
    pub fn is_read(&self) -> bool {
        self.method.is_safe() || Document::is_in_repository(self.path.raw())
    }

    /// Path and query as they were sent.
    pub fn target(&self) -> String {
        let separator = if self.query.is_empty() { "" } else { "?" };
        format!("{}{separator}{}", self.path.raw(), self.query)
    }
}

/// An extension that `accept` adds to each request, for what warp cannot tell.
///
/// It has the target because `warp::path::full()` panics on requests without a
/// path (`CONNECT host:port`).
#[derive(Clone)]
pub(crate) struct Arrival {
    pub(crate) peer: SocketAddr,
    pub(crate) connection: ConnectionLink,
    pub(crate) target: Uri,
}

/// Accepts every request. Handlers refuse requests, never this filter.
pub(crate) fn any(
    limits: impl Fn() -> RequestLimits + Clone + Send + Sync + 'static,
) -> impl Filter<Extract = (Request,), Error = warp::Rejection> + Clone + Send + Sync + 'static {
    warp::any()
        .and(warp::method())
        .and(warp::ext::optional::<Arrival>())
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .map(move |method, arrival: Option<Arrival>, headers: HeaderMap, body| {
            let RequestLimits { body_timeout, trusted_proxies } = limits();
            // Missing only if the service runs without `accept`.
            let nobody = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
            let peer = arrival.as_ref().map_or(nobody, |arrival| arrival.peer);
            let number = arrival.as_ref().map_or(0, |arrival| arrival.connection.number);
            let client = trusted_proxies.client(peer.ip(), number, &headers);
            if let Some(Arrival { connection, .. }) = &arrival
                && client != ClientAddress::Known(peer.ip().to_canonical())
            {
                connection.assign(&client);
            }
            let (target, disconnect) = match arrival {
                Some(Arrival { connection, target, .. }) => (target, connection.close),
                None => Default::default(),
            };
            Request {
                method,
                path: Path::parse(target.path()),
                query: target.query().unwrap_or_default().to_owned(),
                client,
                headers,
                peer,
                id: RequestId::random(),
                client_presence: ClientPresence::default(),
                disconnect,
                body: Body::new(to_bytes(body), body_timeout),
            }
        })
}

fn to_bytes<B: Buf>(
    body: impl futures_util::Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> impl futures_util::Stream<Item = Result<bytes::Bytes, warp::Error>> + Send + 'static {
    body.map_ok(|mut piece| piece.copy_to_bytes(piece.remaining()))
}
