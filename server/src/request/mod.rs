//! A request as handlers see it, and the one warp filter that makes it.

mod id;
mod path;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bytes::Buf;
use futures_util::TryStreamExt;
use hyper::{HeaderMap, Method, Uri};
use warp::Filter;

pub use self::id::RequestId;
pub use self::path::Path;
use crate::body::Body;
use crate::client_address::ClientAddress;
use crate::limits::HttpLimits;

/// A request, its body still unread.
pub struct Request {
    /// The method, known to us or not.
    pub method: Method,
    /// The path, decoded.
    pub path: Path,
    /// The query as it was sent, without the `?`; empty where there is none.
    pub query: String,
    /// The header. Never log it whole: it holds credentials.
    pub headers: HeaderMap,
    /// Who is at the other end of the connection.
    pub peer: SocketAddr,
    /// Whose request it is, as far as the peer may be believed.
    pub client: ClientAddress,
    /// Names this request in the answer and in the log.
    pub id: RequestId,
    /// The body. Reading it makes hyper send `100 Continue` where it was asked for.
    pub body: Body,
}

/// What warp can't tell of a request; `accept` puts it into the extensions.
///
/// The target is here because `warp::path::full()` panics where a request has
/// no path at all (`CONNECT host:port`).
#[derive(Debug, Clone)]
pub(crate) struct Arrival {
    pub(crate) peer: SocketAddr,
    /// A number that no other connection has.
    pub(crate) connection: u64,
    pub(crate) target: Uri,
}

/// Takes any request whatever. It never rejects, so there is nothing to
/// recover from: whatever is wrong with a request is found after it.
pub(crate) fn any(
    limits: &HttpLimits,
) -> impl Filter<Extract = (Request,), Error = warp::Rejection> + Clone + Send + Sync + 'static {
    let (idle, pace) = (limits.body_idle, limits.pace);
    let proxies = limits.trusted_proxies.clone();
    warp::any()
        .and(warp::method())
        .and(warp::ext::optional::<Arrival>())
        .and(warp::header::headers_cloned())
        .and(warp::body::stream())
        .map(move |method, arrival: Option<Arrival>, headers: HeaderMap, body| {
            // Only a service that runs without `accept` lacks it.
            let nobody = SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0);
            let Arrival { peer, connection, target } =
                arrival.unwrap_or_else(|| Arrival { peer: nobody, connection: 0, target: Uri::default() });
            Request {
                method,
                path: Path::parse(target.path()),
                query: target.query().unwrap_or_default().to_owned(),
                client: proxies.client(peer.ip(), connection, &headers),
                headers,
                peer,
                id: RequestId::random(),
                body: Body::new(to_bytes(body), idle, pace),
            }
        })
}

fn to_bytes<B: Buf>(
    body: impl futures_util::Stream<Item = Result<B, warp::Error>> + Send + 'static,
) -> impl futures_util::Stream<Item = Result<bytes::Bytes, warp::Error>> + Send + 'static {
    body.map_ok(|mut piece| piece.copy_to_bytes(piece.remaining()))
}
