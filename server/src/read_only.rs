//! Serves a tree that no registry of this machine writes, such as a mirror: only public reads, and
//! those of agents.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use generator::Sources;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use hyper::{HeaderMap, Method, Uri};
use tokio::net::TcpListener;

use crate::app::Settings;
use crate::connection::http_service::{self, Dispatch};
use crate::mcp_endpoint::{self, McpEndpoint};
use crate::problem::Problem;
use crate::reads::clawhub_address;
use crate::reads::document_cache::DocumentCache;
use crate::reads::git::repositories::Repositories;
use crate::reads::not_found_page::{self, Visitor};
use crate::reads::tree_reader::TreeReader;
use crate::request::Request;
use crate::routes::clawhub;
use crate::security::cors::Audience;
use crate::security::read_keys::ReadKeys;
use crate::security::{closed_reads, key_in_path};
use crate::{Response, reads};

/// Answers public reads.
pub struct ReadOnlyServer {
    reader: Arc<TreeReader>,
    mcp: McpEndpoint,
    read_keys: Arc<ReadKeys>,
    key_in_path: bool,
}

impl ReadOnlyServer {
    /// Serves a tree that does not change.
    pub fn new(tree: Tree, sources: Sources, settings: TreeSettings, server: &Settings) -> Self {
        let documents = Arc::new(DocumentCache::new(server.reads_memory, settings.gzip));
        let Sources { public, search, store, signing } = sources;
        let read_keys = Arc::new(ReadKeys::of(tree.clone()));
        let reader = Arc::new(TreeReader {
            public,
            store,
            search,
            tree,
            settings,
            signing,
            has_tree: true,
            documents,
            repositories: Repositories::default(),
        });
        let mcp = McpEndpoint::new(Arc::clone(&reader), server.public_url.clone(), server.http.json);
        Self { reader, mcp, read_keys, key_in_path: server.key_in_path }
    }

    /// Serves until `shutdown` is ready and running requests have finished.
    pub async fn serve(self, listener: TcpListener, server: &Settings, shutdown: impl Future<Output = ()>) {
        http_service::serve(listener, Arc::new(self), &server.http, shutdown).await;
    }

    async fn answer(&self, request: &mut Request, is_closed: bool) -> Result<Response, Problem> {
        if is_closed {
            closed_reads::require_key(&self.read_keys, &request.headers)
                .await
                .map_err(Problem::ask_for_password)?;
        }
        if request.path.raw() == mcp_endpoint::PATH {
            return match request.method {
                Method::POST => self.mcp.answer(request).await,
                _ => Err(Problem::method_not_allowed("POST")),
            };
        }
        if let Some(response) = reads::answer(&self.reader, None, request).await? {
            return Ok(response);
        }
        if request.method.is_safe()
            && let Some(response) = clawhub::answer(&self.reader, None, request).await?
        {
            return Ok(response);
        }
        Err(match clawhub::needs_own_server(request) {
            Some(problem) => problem,
            None if !request.method.is_safe() => Problem::method_not_allowed("GET, HEAD"),
            None => not_found_page::unknown_address(&self.reader, &request.path).await?,
        })
    }
}

impl Dispatch for ReadOnlyServer {
    fn dispatch(self: Arc<Self>, mut request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        async move {
            if self.key_in_path {
                key_in_path::take(&mut request);
            }
            request.path = mcp_endpoint::without_slash(request.path);
            let is_public = request.path.raw() != mcp_endpoint::PATH;
            let audience = Audience::of(is_public, &request.headers, false);
            let is_closed = self.reader.settings.is_closed() && !closed_reads::is_open_document(&request);
            let map_response = |response| match is_closed {
                true => audience.map_closed(response),
                false => audience.map_response(response),
            };
            let response = match self.answer(&mut request, is_closed).await {
                Ok(response) => response,
                Err(problem) => {
                    let problem = audience.map_error(problem);
                    if clawhub_address::is_mounted(&request.path) {
                        return Ok(map_response(problem.into_line(&request.id)));
                    }
                    Visitor::of(&request).map_error(&self.reader, problem, &request.id).await
                }
            };
            Ok(map_response(response))
        }
        .boxed()
    }

    fn at_once(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
        if self.reader.settings.is_closed() {
            return closed_reads::at_once(&self.read_keys, &self.reader, (method, target, headers));
        }
        reads::at_once(&self.reader.documents, method, target, headers)
    }
}
