//! Who passes to a private namespace.
//!
//! Everybody else gets the same answers for a private namespace as for a name that none has: 401 without a valid
//! credential, 404 with one. So this asks nothing of the namespace before the credential is known to be good for it.

use std::sync::Arc;

use hyper::StatusCode;
use hyper::header::{HeaderValue, LOCATION};
use registry::access::{Actor, Credential};

use crate::Response;
use crate::app::App;
use crate::dispatch::dispatch_as;
use crate::problem::Problem;
use crate::reads::not_found_page::Visitor;
use crate::request::{Path, Request};
use crate::routes::{Match, find};
use crate::security::auth::{Authentication, Caller};
use crate::security::cors::Audience;
use crate::security::{closed_reads, key_in_path};

/// The path below which private namespaces are.
const PREFIX: &str = "/-/";

/// Answers a request to the main registry or to a private namespace.
pub async fn dispatch(main: Arc<App>, mut request: Request) -> Response {
    if main.settings.key_in_path {
        key_in_path::take(&mut request);
    }
    let outer = request.path.clone();
    let Some(below) = outer.raw().strip_prefix(PREFIX) else {
        return dispatch_as(main, request, None).await;
    };
    let (name, path) = below.find('/').map_or((below, ""), |end| below.split_at(end));
    request.path = Path::parse(path);
    if is_of_accounts(&request) {
        return dispatch_as(main, request, None).await;
    }
    let row = find(&request.method, &request.path);
    let label = row.label();
    let app = main.private_namespace(name).await;
    let authenticator = app.as_ref().map_or(&main.authenticator, |app| &app.authenticator);
    let is_read = request.is_read();
    let sent = authenticator.authenticate(&request.headers, is_read).await;
    let admitted = sent.and_then(|sent| admit(app.as_deref(), sent, &request));
    let mut response = match (app, admitted) {
        (Some(_), Ok(Admitted::To(_))) if path.is_empty() => to_folder(name),
        (Some(app), Ok(Admitted::To(authentication))) => {
            dispatch_as(app, request, Some(authentication)).await
        }
        (_, outcome) => {
            let audience = Audience::of(false, &request.headers, true);
            request.path = outer;
            let visitor = Visitor::of(&request);
            let refused = match outcome {
                Ok(Admitted::Not(sent)) => {
                    closed_reads::refuse(&sent, visitor, &request, main.reader.settings.path())
                }
                Ok(Admitted::To(_)) => Err(Problem::nothing_here()),
                Err(problem) => Err(problem),
            };
            let response = match refused {
                Ok(response) => response,
                Err(problem) => {
                    visitor.map_error(&main.reader, audience.map_error(problem), &request.id).await
                }
            };
            audience.map_response(response)
        }
    };
    response.extensions_mut().insert(label);
    response
}

enum Admitted {
    To(Authentication),
    Not(Authentication),
}

/// Errors: 404 for accounts that are no members, 401 for keys of others.
fn admit(app: Option<&App>, sent: Authentication, request: &Request) -> Result<Admitted, Problem> {
    match (sent, app) {
        (Authentication::ReadKey, Some(_)) => Ok(Admitted::To(Authentication::ReadKey)),
        (Authentication::ReadKey, None) => Err(Problem::invalid_token()),
        (Authentication::Valid(caller), app) => {
            let member = app.and_then(|app| app.member(&caller.actor, request));
            member.map(|it| Admitted::To(Authentication::Valid(it))).ok_or_else(Problem::nothing_here)
        }
        (none @ (Authentication::Nothing | Authentication::BadCookie(_)), _) => Ok(Admitted::Not(none)),
    }
}

impl App {
    /// A person of the main registry as a caller of this private namespace. None if the person is no member, and
    /// is not invited to be one and about to answer that.
    fn member(&self, person: &Actor, request: &Request) -> Option<Caller> {
        let accounts = self.accounts.as_ref()?;
        let handle = person.handle.as_ref()?;
        let (path, namespace) = (request.path.raw(), &accounts.namespace);
        let answers_invitation = path.starts_with("/api/v1/me/invitations")
            || path.starts_with(&format!("/api/v1/namespaces/{namespace}/invitations/"));
        if !accounts.admits(&self.registry, handle, answers_invitation) {
            return None;
        }
        let credential = Credential::Elsewhere(person.clone());
        let actor = self.registry.authenticate(&credential).ok()?;
        Some(Caller { credential, actor })
    }
}

/// Whether a request is about accounts, which the main registry answers. It does for every name.
fn is_of_accounts(request: &Request) -> bool {
    match find(&request.method, &request.path) {
        Match::Found { route, .. } => route.is_of_accounts,
        _ => false,
    }
}

/// Redirects to the first page.
fn to_folder(name: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    if let Ok(location) = HeaderValue::try_from(format!("{name}/")) {
        response.headers_mut().insert(LOCATION, location);
    }
    response
}
