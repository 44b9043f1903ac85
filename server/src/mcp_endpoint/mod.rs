//! `POST /mcp`: public reads for agents, by MCP over streamable HTTP. Without sessions, so that any
//! process may answer any request.

mod source;

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use mcp::HttpEndpoint;
use registry::names::PublicUrl;
use warp::Reply;

use crate::Response;
use crate::problem::Problem;
use crate::reads::tree_reader::TreeReader;
use crate::request::{Path, Request, body};
use crate::security::request_origin::refuse_foreign;
use crate::security::shares::Shares;
use source::TreeSource;

/// The path of the endpoint.
pub(crate) const PATH: &str = "/mcp";

/// The path of a request, without the final slash that some clients add to that of the endpoint.
pub(crate) fn without_slash(path: Path) -> Path {
    if path.raw().strip_suffix('/') == Some(PATH) { Path::parse(PATH) } else { path }
}

/// An answer of more bytes keeps its place until it is sent.
const LARGE: usize = 256 << 10;

/// The most requests that are answered at once. An answer may have 24 MiB (a file of 16 MiB in base64),
/// and is in memory until it is sent.
const MAX_PLACES: u64 = 16;

/// The most places of one client. One that reads its answers slowly cannot take them all.
const MAX_PER_CLIENT: u64 = 4;

/// How long a request waits for a place.
const MAX_WAIT: Duration = Duration::from_secs(10);

/// The headers of a request that the protocol uses. Others, such as credentials, are left out.
const PASSED_ON: [HeaderName; 4] = [
    header::HOST,
    HeaderName::from_static("mcp-protocol-version"),
    HeaderName::from_static("mcp-method"),
    HeaderName::from_static("mcp-name"),
];

/// Answers MCP requests from the tree.
pub(crate) struct McpEndpoint {
    service: HttpEndpoint,
    public_url: PublicUrl,
    /// The most bytes of a request's body.
    max_body: usize,
    places: Shares,
}

impl McpEndpoint {
    pub(crate) fn new(reader: Arc<TreeReader>, public_url: PublicUrl, max_body: usize) -> Self {
        let service = HttpEndpoint::new(Arc::new(TreeSource(reader)));
        Self { service, public_url, max_body, places: Shares::new(MAX_PLACES, MAX_PER_CLIENT) }
    }

    /// Answers a POST request.
    ///
    /// Errors: 403 for a page of another origin, because its host name may lead to this server only since a
    /// moment ago (DNS rebinding). 413 or 415 for a body that cannot be read. 503 if too many are answered at
    /// once. Other errors are JSON-RPC messages: 400 for a body that is no message, and for an unknown
    /// revision of the protocol.
    pub(crate) async fn answer(&self, request: &mut Request) -> Result<Response, Problem> {
        refuse_foreign(&self.public_url, &request.headers)?;
        let body = body::json_text(&request.headers, &mut request.body, self.max_body).await?;
        let mut forwarded = http_request(&request.headers, body);
        *forwarded.uri_mut() = PATH.parse().map_err(Problem::internal)?;
        let place = self.places.take_within(MAX_WAIT, &request.client.owner(), 1).await;
        let place = place.ok_or_else(|| {
            Problem::unavailable("Too many requests are answered at once: try again later.", MAX_WAIT)
        })?;
        let (mut head, body) = self.service.answer(forwarded).await.into_parts();
        if body.len() <= LARGE {
            return Ok(Response::from_parts(head, body.into()));
        }
        head.headers.insert(header::CONTENT_LENGTH, body.len().into());
        // The place is dropped with the body, when it is sent or the client has gone. A client that takes
        // its time with several answers loses one when others need a place.
        place.set_revocable(Some(&request.disconnect));
        let pieces = stream::once(async move {
            let _place = place;
            Ok::<_, std::io::Error>(body)
        });
        Ok(Response::from_parts(head, warp::reply::stream(pieces).into_response().into_body()))
    }
}

/// The request for the service. It always asks for JSON, because all answers are that.
fn http_request(headers: &HeaderMap, body: Bytes) -> hyper::Request<Bytes> {
    let mut request = hyper::Request::new(body);
    *request.method_mut() = hyper::Method::POST;
    let passed = request.headers_mut();
    for name in PASSED_ON {
        for value in headers.get_all(&name) {
            passed.append(&name, value.clone());
        }
    }
    passed.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    passed.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    request
}
