//! A row of the route table, written as `get(path, access, handler)`.
//!
//! What the row adds about its description goes into the OpenAPI document and
//! is dropped by a build without the feature `openapi`.

use futures_util::future::BoxFuture;
use hyper::Method;
use registry::private::Scope;

use super::Call;
use crate::Response;
#[cfg(feature = "openapi")]
use crate::openapi::Description;
use crate::problem::Problem;

/// A row of the route table.
pub struct Route {
    /// The method. A row for GET answers HEAD too (RFC 9110, section 9.3.2).
    pub method: Method,
    /// The path: literal segments, and `{name}` for one segment of any text.
    pub path: &'static str,
    /// Which credential the caller needs.
    pub access: Access,
    pub(crate) handler: Box<dyn Handler>,
    /// For whom its requests count as writes.
    pub(crate) counted: Counted,
    /// Whether it is about accounts, which private namespaces share with their main registry.
    pub(crate) is_of_accounts: bool,
    #[cfg(feature = "openapi")]
    pub(crate) description: Description,
}

/// For whom requests of other methods than GET count as writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Counted {
    /// The caller, or the client's address without a credential.
    ForCaller,
    /// The client's address, even with a credential.
    ForClient,
    /// Nobody.
    Not,
}

/// The credential that a route requires. A credential that was sent has to be
/// valid on every route, including public ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// None: a public document, which any origin may read.
    PublicRead,
    /// None, unless the registry is closed.
    Reader,
    /// None.
    Anyone,
    /// Any valid credential.
    Credential,
    /// A valid credential with this scope.
    Scope(Scope),
}

pub(super) const MANAGE: Access = Access::Scope(Scope::Manage);
pub(super) const PUBLISH: Access = Access::Scope(Scope::Publish);
pub(super) const READ: Access = Access::Scope(Scope::Read);
pub(super) const SOCIAL: Access = Access::Scope(Scope::Social);
pub(super) const TOKENS: Access = Access::Scope(Scope::Tokens);

/// Answers the calls of one route. Implemented by every
/// `async fn(Call) -> Result<Response, Problem>`.
pub(crate) trait Handler: Send + Sync {
    fn handle(&self, call: Call) -> BoxFuture<'static, Result<Response, Problem>>;
}

impl<F, R> Handler for F
where
    F: Fn(Call) -> R + Send + Sync,
    R: Future<Output = Result<Response, Problem>> + Send + 'static,
{
    fn handle(&self, call: Call) -> BoxFuture<'static, Result<Response, Problem>> {
        Box::pin(self(call))
    }
}

pub(super) fn get(path: &'static str, access: Access, handler: impl Handler + 'static) -> Route {
    route(Method::GET, path, access, handler)
}

pub(super) fn post(path: &'static str, access: Access, handler: impl Handler + 'static) -> Route {
    route(Method::POST, path, access, handler)
}

pub(super) fn put(path: &'static str, access: Access, handler: impl Handler + 'static) -> Route {
    route(Method::PUT, path, access, handler)
}

pub(super) fn delete(path: &'static str, access: Access, handler: impl Handler + 'static) -> Route {
    route(Method::DELETE, path, access, handler)
}

fn route(method: Method, path: &'static str, access: Access, handler: impl Handler + 'static) -> Route {
    Route {
        method,
        path,
        access,
        handler: Box::new(handler),
        counted: Counted::ForCaller,
        is_of_accounts: false,
        #[cfg(feature = "openapi")]
        description: Description::default(),
    }
}

impl Route {
    /// Whether its requests count as writes.
    pub(crate) fn counts_as_write(&self) -> bool {
        !self.method.is_safe() && self.counted != Counted::Not
    }

    /// Counts writes for the client's address even with a credential.
    pub(super) fn counted_by_client(self) -> Self {
        Self { counted: Counted::ForClient, ..self }
    }

    /// Is about accounts.
    pub(super) fn of_accounts(self) -> Self {
        Self { is_of_accounts: true, ..self }
    }

    /// Does not count requests as writes: they only read.
    pub(super) fn uncounted(self) -> Self {
        Self { counted: Counted::Not, ..self }
    }
}
