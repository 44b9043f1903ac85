//! Serves a tree that no registry of this machine writes, such as a mirror: only public reads.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use generator::Sources;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use hyper::{HeaderMap, Method, Uri};
use tokio::net::TcpListener;

use crate::connection::http_service::{self, Dispatch};
use crate::problem::Problem;
use crate::reads::document_cache::DocumentCache;
use crate::reads::not_found_page::{self, Visitor};
use crate::reads::tree_reader::TreeReader;
use crate::request::Request;
use crate::request::http_limits::HttpLimits;
use crate::security::cors::Audience;
use crate::{Response, reads};

/// Answers public reads.
pub struct ReadOnlyServer {
    reader: Arc<TreeReader>,
}

impl ReadOnlyServer {
    /// Serves a tree that does not change. `memory` is the size of the cache in bytes.
    pub fn new(tree: Tree, sources: Sources, settings: TreeSettings, memory: u64) -> Self {
        let documents = Arc::new(DocumentCache::new(memory, settings.gzip));
        let Sources { public, search, store, signing } = sources;
        let reader = TreeReader { public, store, search, tree, settings, signing, has_tree: true, documents };
        Self { reader: Arc::new(reader) }
    }

    /// Serves until `shutdown` is ready and running requests have finished.
    pub async fn serve(self, listener: TcpListener, limits: &HttpLimits, shutdown: impl Future<Output = ()>) {
        http_service::serve(listener, Arc::new(self), limits, shutdown).await;
    }

    async fn answer(&self, request: &Request) -> Result<Response, Problem> {
        if !request.method.is_safe() {
            return Err(Problem::method_not_allowed("GET, HEAD"));
        }
        match reads::answer(&self.reader, None, request).await? {
            Some(response) => Ok(response),
            None => Err(not_found_page::unknown_address(&self.reader, &request.path).await?),
        }
    }
}

impl Dispatch for ReadOnlyServer {
    fn dispatch(self: Arc<Self>, request: Request) -> BoxFuture<'static, Result<Response, Problem>> {
        async move {
            let audience = Audience::of(true, &request.headers, false);
            let response = match self.answer(&request).await {
                Ok(response) => response,
                Err(problem) => {
                    let problem = audience.map_error(problem);
                    Visitor::of(&request).map_error(&self.reader, problem, &request.id).await
                }
            };
            Ok(audience.map_response(response))
        }
        .boxed()
    }

    fn at_once(&self, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
        reads::at_once(&self.reader.documents, method, target, headers)
    }
}
