//! MCP over streamable HTTP, without sessions: each POST is answered by one JSON document.

use std::sync::Arc;

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::{BodyExt, Full};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};

use crate::{SkillServer, SkillSource};

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

    /// Answers a request.
    pub async fn answer(&self, request: Request<Bytes>) -> Response<Bytes> {
        let (head, body) = self.0.handle(request.map(Full::new)).await.into_parts();
        let body = match body.collect().await {
            Ok(body) => body.to_bytes(),
            Err(never) => match never {},
        };
        Response::from_parts(head, body)
    }
}
