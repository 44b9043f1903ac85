//! MCP over streamable HTTP, without sessions: each POST is answered by one JSON document.

use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Request, Response, StatusCode, header};
use http_body_util::{BodyExt, Full};
use rmcp::model::{JsonRpcError, ProtocolVersion};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::{SkillServer, SkillSource, http_body};

/// Answers the POST requests of an HTTP server.
#[derive(Clone)]
pub struct HttpEndpoint(StreamableHttpService<SkillServer, NeverSessionManager>);

impl HttpEndpoint {
    /// Serves the skills of `source`, for reading only.
    ///
    /// The caller has checked `Origin` and the size of bodies.
    pub fn new(source: Arc<dyn SkillSource>) -> Self {
        let server = SkillServer::new(source, None);
        let config = StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true)
            .disable_allowed_hosts()
            .disable_allowed_origins();
        Self(StreamableHttpService::new(move || Ok(server.clone()), Arc::default(), config))
    }

    /// Answers a request. Every body is a JSON-RPC message, or empty for a notification.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        if let Some(refusal) = http_body::refusal(request.body()) {
            return refused(&refusal);
        }
        let (sent, has_known_revision) = (request.body().clone(), has_known_revision(request.headers()));
        let (head, body) = self.0.handle(request.map(Full::new)).await.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(never) => match never {},
        };
        let is_json = head.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "application/json");
        if is_json || head.status.is_success() {
            return Response::from_parts(head, body);
        }
        refused(&match has_known_revision {
            true => http_body::unreadable(&sent),
            false => {
                let known: Vec<_> =
                    ProtocolVersion::KNOWN_VERSIONS.iter().map(ProtocolVersion::as_str).collect();
                http_body::unknown_revision(&known)
            }
        })
    }
}

/// Whether a request names a revision of the protocol that `rmcp` knows, or none.
fn has_known_revision(headers: &HeaderMap) -> bool {
    let known = ProtocolVersion::KNOWN_VERSIONS;
    headers
        .get("mcp-protocol-version")
        .is_none_or(|named| known.iter().any(|known| known.as_str().as_bytes() == named.as_bytes()))
}

/// The response with an error that is not one of a method.
fn refused(why: &JsonRpcError) -> Response<Bytes> {
    let mut response = Response::new(serde_json::to_vec(why).unwrap_or_default().into());
    *response.status_mut() = StatusCode::BAD_REQUEST;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response
}
