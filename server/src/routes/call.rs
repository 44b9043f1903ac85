//! One call of a route: what came with it, and how a handler answers it.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use generator::address::paging;
use hyper::header::{HeaderName, HeaderValue};
use hyper::{Method, StatusCode};
use registry::api::public::Page;
use registry::catalog::Catalog;
use registry::journal::Revision;
use registry::names::{Coordinate, Handle};
use registry::ops::{CommitContext, Decision, OpError};
use registry::{Committed, Registry};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::Params;
use crate::Response;
use crate::app::App;
use crate::blocking::blocking;
use crate::problem::Problem;
use crate::reply::{json, no_content};
use crate::request::Request;
use crate::request::{body, prefer};
use crate::security::auth::Caller;
use crate::tree_updates::Tiers;

static X_REVISION: HeaderName = HeaderName::from_static("x-revision");
static PREFERENCE_APPLIED: HeaderName = HeaderName::from_static("preference-applied");
static X_MIRROR_LAG: HeaderName = HeaderName::from_static("x-mirror-lag");

/// A request that a route answers.
pub struct Call {
    pub(crate) app: Arc<App>,
    pub(crate) request: Request,
    pub(crate) params: Params,
    /// `None` if the request has no valid credential. Only routes with
    /// [`Access::Anyone`](super::Access::Anyone) are called without one.
    pub(crate) caller: Option<Caller>,
}

impl Call {
    /// The caller.
    ///
    /// Errors: 401 without a credential.
    pub(super) fn caller(&self) -> Result<&Caller, Problem> {
        self.caller.as_ref().ok_or_else(Problem::unauthenticated)
    }

    /// The caller, as the registry checks and records it with a commit.
    pub(super) fn registry_caller(&self) -> Result<registry::Caller, Problem> {
        let credential = self.caller()?.credential.clone();
        Ok(registry::Caller { credential, request: Some(self.request.id.to_string()) })
    }

    /// A parameter of the path. 404 if it is not a valid `T`.
    pub(super) fn param<T: FromStr<Err: Display>>(&self, name: &str) -> Result<T, Problem> {
        self.params.parse(name)
    }

    /// A parameter of the path. 400 if it is not a valid `T`.
    pub(super) fn field<T: FromStr<Err: Display>>(&self, name: &'static str) -> Result<T, Problem> {
        parse_field(name, self.params.get(name).unwrap_or_default())
    }

    /// The skill that `{namespace}` and `{slug}` of the path name.
    pub(super) fn skill(&self) -> Result<Coordinate, Problem> {
        Ok(Coordinate::new(self.param("namespace")?, self.param("slug")?))
    }

    /// The JSON body. Only a `PUT` needs one: it says what to change, and a lost body would change
    /// nothing without an error.
    pub(super) async fn json<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        let (limit, may_be_empty) = (self.app.settings.http.json, self.request.method != Method::PUT);
        body::json(&self.request.headers, &mut self.request.body, limit, may_be_empty).await
    }

    /// The page of `all` that the query asks for.
    pub(super) fn page_of<T>(&self, all: Vec<T>) -> Result<Page<T>, Problem> {
        let (page, size) = paging(&self.request.query)?;
        let total = all.len();
        let skip = usize::try_from((page - 1).saturating_mul(size)).unwrap_or(usize::MAX);
        let take = usize::try_from(size).unwrap_or(usize::MAX);
        Ok(Page { items: all.into_iter().skip(skip).take(take).collect(), total, page, size })
    }

    /// Reads the catalog. Nothing is written while `read` runs.
    pub(super) fn read<R>(&self, read: impl FnOnce(Catalog<'_>) -> R) -> R {
        self.app.registry.read(read)
    }

    /// Runs an operation on the current catalog and writes its decision.
    pub(super) async fn commit<I, R>(
        &self,
        mut operation: impl FnMut(CommitContext<'_>, &I) -> Result<Decision<R>, OpError> + Send + 'static,
        input: I,
    ) -> Result<Committed<R>, Problem>
    where
        I: Send + 'static,
        R: Send + 'static,
    {
        let (app, caller) = (Arc::clone(&self.app), self.registry_caller()?);
        blocking(move || {
            app.require_valid(&caller.credential)?;
            Ok(app.registry.commit(&caller, |context| operation(context, &input))?)
        })
        .await
    }

    /// If this is a private namespace, tells it what the main registry knows of accounts, before its members change: who
    /// is disabled, and the account `new`, which is to become a member.
    pub(super) async fn follow_accounts(&self, new: Option<&Handle>) -> Result<(), Problem> {
        let Some(accounts) = self.app.accounts.clone() else { return Ok(()) };
        let (registry, by) = (Arc::clone(&self.app.registry), self.registry_caller()?);
        let (manager, new) = (self.caller()?.actor.clone(), new.cloned());
        blocking(move || accounts.introduce(&registry, &by, &manager, new.as_ref())).await
    }

    /// Runs `check`, and returns what it returns. If it fails, reads what other processes have written in
    /// the meantime, for example a new member, and runs it again.
    pub(super) async fn check_twice<T: Send + 'static>(
        &self,
        check: impl Fn(&Registry) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        if let Ok(found) = check(&self.app.registry) {
            return Ok(found);
        }
        let registry = Arc::clone(&self.app.registry);
        blocking(move || {
            registry.catch_up()?;
            check(&registry)
        })
        .await
    }

    /// Replies to a write with a record.
    pub(super) async fn reply<R: Sync>(
        &self,
        status: StatusCode,
        done: &Committed<R>,
        record: &(impl Serialize + Sync),
    ) -> Result<Response, Problem> {
        self.finish(done, json(status, record)?).await
    }

    /// Replies to a write with 204.
    pub(super) async fn no_content<R: Sync>(&self, done: &Committed<R>) -> Result<Response, Problem> {
        self.finish(done, no_content()).await
    }

    /// Names the revision of a write in its response and, if the change is
    /// public, waits until the tree contains it.
    pub(super) async fn finish<R: Sync>(
        &self,
        done: &Committed<R>,
        mut response: Response,
    ) -> Result<Response, Problem> {
        let Some(revision) = done.revision else { return Ok(response) };
        response.headers_mut().insert(X_REVISION.clone(), revision.into());
        Ok(if done.is_public { self.wait_for_tree(revision, response).await } else { response })
    }

    /// Waits until the tree contains `revision`, for `mirror.wait_timeout` at most: in the documents
    /// of the changed skills, or in all documents if the client prefers that.
    pub(super) async fn wait_for_tree(&self, revision: Revision, mut response: Response) -> Response {
        let App { publisher, settings, .. } = &*self.app;
        if !settings.mirror {
            return response;
        }
        let preferred = prefer::wait(&self.request.headers);
        let waits_for_all = preferred.is_some() || settings.publisher.lists_interval.is_zero();
        let tiers = if waits_for_all { Tiers::All } else { Tiers::Own };
        if settings.wait_timeout.is_zero() {
            publisher.wake(Tiers::Own);
            return response;
        }
        if let Some(wait) = preferred {
            let applied = HeaderValue::from_static(wait.preference);
            response.headers_mut().insert(PREFERENCE_APPLIED.clone(), applied);
        }
        let timeout = preferred.map_or(Duration::MAX, |wait| wait.longest).min(settings.wait_timeout);
        let lag = publisher.wait(revision, tiers, timeout).await;
        if lag > 0 {
            response.headers_mut().insert(X_MIRROR_LAG.clone(), lag.into());
        }
        response
    }
}

/// Parses the text of a field of a query, form or body. 400 if it is not a valid `T`.
pub(super) fn parse_field<T: FromStr<Err: Display>>(field: &'static str, text: &str) -> Result<T, Problem> {
    text.parse().map_err(|why: T::Err| Problem::invalid_field(field, why.to_string()))
}
