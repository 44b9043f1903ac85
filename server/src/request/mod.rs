//! A request as handlers see it, and the one warp filter that makes it.

mod id;
mod path;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use bytes::Buf;
use futures_util::TryStreamExt;
use hyper::{HeaderMap, Method};
use warp::Filter;

pub use self::id::RequestId;
pub use self::path::Path;
use crate::body::Body;
use crate::limits::EdgeLimits;

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
    /// Names this request in the answer and in the log.
    pub id: RequestId,
    /// The body. Reading it makes hyper send `100 Continue` where it was asked for.
    pub body: Body,
}

/// The other end of a connection; `accept` puts it into the extensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Takes any request whatever. It never rejects, so there is nothing to
/// recover from: whatever is wrong with a request is found after it.
pub(crate) fn any(
    limits: &EdgeLimits,
) -> impl Filter<Extract = (Request,), Error = warp::Rejection> + Clone + Send + Sync + 'static {
    let (idle, pace) = (limits.body_idle, limits.body_pace);
    let query = warp::query::raw().or(warp::any().map(String::new)).unify();
    warp::any()
        .and(warp::method())
        .and(warp::path::full())
        .and(query)
        .and(warp::header::headers_cloned())
        .and(warp::ext::optional::<Peer>())
        .and(warp::body::stream())
        .map(move |method, path: warp::path::FullPath, query, headers, peer: Option<Peer>, body| {
            Request {
                method,
                path: Path::parse(path.as_str()),
                query,
                headers,
                // Only a service that runs without `accept` has no peer.
                peer: peer.map_or(SocketAddr::new(IpAddr::V4(Ipv4Addr::UNSPECIFIED), 0), |p| p.0),
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
