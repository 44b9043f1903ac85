//! From a request to its response: public reads first, then the route table.

use std::sync::Arc;

use crate::Response;
use crate::app::App;
use crate::mcp_endpoint;
use crate::min_revision;
use crate::problem::Problem;
use crate::reads::not_found_page::{self, Visitor};
use crate::reads::{self, clawhub_address};
use crate::request::Request;
use crate::routes::{Access, Call, Counted, Match, find};
use crate::security::auth::{Authentication, Caller};
use crate::security::closed_reads;
use crate::security::cors::{Audience, preflight};
use crate::security::request_origin::require_own;
use crate::security::write_rate::{Key, RateStatus};
use registry::private::Scope;

/// Answers a request. A token that was sent has to be valid on every route.
///
/// `known` is its credential, if that has been checked already.
pub async fn dispatch_as(app: Arc<App>, mut request: Request, known: Option<Authentication>) -> Response {
    request.path = mcp_endpoint::without_slash(request.path);
    let row = find(&request.method, &request.path);
    let label = row.label();
    let id = request.id.clone();
    let is_closed_registry = app.reader.settings.is_closed();
    let is_private_namespace = app.accounts.is_some();
    let needs_credential = is_closed_registry && !closed_reads::is_open(&request, &row);
    // First, because the credential may be of that revision, too. In a closed registry a stranger must not
    // learn which revision there is.
    let mut followed = Ok(());
    if !is_closed_registry {
        followed = min_revision::wait(&app, &request.method, &request.headers).await;
    }
    let authentication = match known {
        Some(known) => Ok(known),
        None => app.authenticator.authenticate(&request.headers, request.is_read()).await,
    };
    let is_reader = authentication.as_ref().is_ok_and(Authentication::admits_reads);
    let visitor = Visitor::of(&request);
    let is_clawhub = clawhub_address::is_mounted(&request.path);
    let is_signed_in = matches!(authentication, Ok(Authentication::Valid(_)));
    let audience = Audience::of(row.is_public(), &request.headers, is_signed_in);
    if is_closed_registry && is_reader {
        followed = min_revision::wait(&app, &request.method, &request.headers).await;
    }
    let counted = count_write(&app, &row, &authentication, &request).await;
    let status = counted.as_ref().ok().copied().flatten();
    let admitted = counted.and_then(|status| status.map_or(Ok(()), |status| status.admit()));
    let result = match admitted.and(followed).and(authentication) {
        Ok(authentication) if needs_credential && !authentication.admits_reads() => {
            closed_reads::refuse(&authentication, visitor, &request, app.reader.settings.path())
        }
        Ok(authentication) => answer(&app, row, authentication, request).await,
        Err(problem) => Err(problem),
    };
    let response = match result {
        Ok(response) => response,
        Err(problem) if is_clawhub => audience.map_error(problem).into_line(&id),
        Err(problem) => visitor.map_error(&app.reader, audience.map_error(problem), &id).await,
    };
    let mut response = match needs_credential || is_private_namespace {
        true => audience.map_closed(response),
        false => audience.map_response(response),
    };
    // Clients of the ClawHub dialect add these headers to the text of every error.
    if let Some(status) = status.filter(|status| !is_clawhub || status.is_exceeded()) {
        status.set_headers(response.headers_mut());
    }
    response.extensions_mut().insert(label);
    response
}

/// Counts a request that writes, even if it is refused later.
///
/// Errors: 503 if it cannot be counted.
pub async fn count_write(
    app: &App,
    row: &Match,
    authentication: &Result<Authentication, Problem>,
    request: &Request,
) -> Result<Option<RateStatus>, Problem> {
    let Match::Found { route, .. } = row else { return Ok(None) };
    if !route.counts_as_write() {
        return Ok(None);
    }
    let caller = authentication.as_ref().ok().and_then(Authentication::caller);
    let caller = caller.filter(|_| route.counted == Counted::ForCaller);
    app.write_rate.count(&Key::of(caller.map(|caller| &caller.actor), request.client)).await.map(Some)
}

async fn answer(
    app: &Arc<App>,
    row: Match,
    authentication: Authentication,
    mut request: Request,
) -> Result<Response, Problem> {
    if let Some(response) = reads::answer(&app.reader, Some(&app.downloads), &mut request).await? {
        return Ok(response);
    }
    match row {
        Match::Found { route, params } => {
            let caller = admit(app, route.access, authentication, &request)?;
            route.handler.handle(Call { app: Arc::clone(app), request, params, caller }).await
        }
        Match::Preflight { allow } => Ok(preflight(&allow)),
        Match::WrongMethod { allow, .. } => Err(Problem::method_not_allowed(allow)),
        Match::NotFound => Err(not_found_page::unknown_address(&app.reader, &request.path).await?),
    }
}

/// Checks the credential that a route requires. Returns the caller if the
/// request has a valid credential.
fn admit(
    app: &App,
    access: Access,
    authentication: Authentication,
    request: &Request,
) -> Result<Option<Caller>, Problem> {
    let scope = match access {
        Access::PublicRead | Access::Reader | Access::Anyone => return Ok(authentication.require().ok()),
        Access::Credential => None,
        Access::Scope(scope) => Some(scope),
    };
    let caller = authentication.require()?;
    if caller.actor.session.is_some() && !request.method.is_safe() {
        require_own(&app.settings.public_url, &request.headers)?;
    }
    // Such a token says nothing of the person in whose name it acts.
    if caller.actor.job.is_some() && access != Access::Scope(Scope::Publish) {
        return Err(Problem::forbidden("A token of a job only publishes: use a token of a person."));
    }
    if let Some(scope) = scope {
        caller.actor.needs(scope)?;
    }
    Ok(Some(caller))
}
