//! Who passes to a private namespace.
//!
//! Everybody else gets the same answers for a private namespace as for a name that none has: 401 without a valid
//! credential, 404 with one. So this asks nothing of the namespace before the credential is known to be good for it.

use std::sync::Arc;

use hyper::header::{HeaderValue, LOCATION};
use hyper::{HeaderMap, Method, StatusCode, Uri};
use registry::access::{Actor, Credential};

use crate::Response;
use crate::app::App;
use crate::dispatch::{count_write, dispatch_as};
use crate::problem::Problem;
use crate::reads::not_found_page::Visitor;
use crate::request::{Path, Request};
use crate::routes::{Match, find};
use crate::security::auth::{Authentication, Caller, require_session};
use crate::security::cors::Audience;
use crate::security::{closed_reads, key_in_path};

/// The path below which private namespaces are.
const PREFIX: &str = "/-/";

/// The name that a path below [`PREFIX`] has, and the path below that name.
fn split(path: &str) -> Option<(&str, &str)> {
    let below = path.strip_prefix(PREFIX)?;
    Some(below.find('/').map_or((below, ""), |end| below.split_at(end)))
}

/// Answers a read of a private namespace from memory, if a moment ago its read key was found to be valid.
pub fn at_once(main: &App, method: &Method, target: &Uri, headers: &HeaderMap) -> Option<Response> {
    let (name, path) = split(target.path())?;
    let app = main.private_namespace(name)?;
    let query = target.query().map_or(String::new(), |query| format!("?{query}"));
    let target = Uri::try_from(format!("{path}{query}")).ok()?;
    closed_reads::at_once(&app.authenticator.read_keys, &app.reader, (method, &target, headers))
}

/// Answers a request to the main registry or to a private namespace.
pub async fn dispatch(main: Arc<App>, mut request: Request) -> Response {
    if main.settings.key_in_path {
        key_in_path::take(&mut request);
    }
    let outer = request.path.clone();
    let Some((name, path)) = split(outer.raw()) else {
        return dispatch_as(main, request, None).await;
    };
    request.path = Path::parse(path);
    if is_of_accounts(&request) {
        return dispatch_as(main, request, None).await;
    }
    let row = find(&request.method, &request.path);
    let app = main.private_namespace(name);
    let authenticator = app.as_ref().map_or(&main.no_namespace, |app| &app.authenticator);
    let sent = authenticator.authenticate(&request.headers, request.is_read()).await;
    let admitted = app.and_then(|app| admit(&app, &sent, &request).map(|admitted| (app, admitted)));
    let mut response = match admitted {
        Some(_) if path.is_empty() => to_folder(name),
        Some((app, authentication)) => return dispatch_as(app, request, Some(authentication)).await,
        None => {
            request.path = outer;
            refuse(&main, &row, sent, &request).await
        }
    };
    response.extensions_mut().insert(row.label());
    response
}

/// The credential as one of a private namespace. None if it is not good for that.
fn admit(app: &App, sent: &Result<Authentication, Problem>, request: &Request) -> Option<Authentication> {
    match sent {
        Ok(Authentication::ReadKey) => Some(Authentication::ReadKey),
        Ok(Authentication::Valid(caller)) => app.member(&caller.actor, request).map(Authentication::Valid),
        Ok(Authentication::Nothing | Authentication::BadCookie(_)) | Err(_) => None,
    }
}

/// The answer to everybody else, which does not depend on whether there is such a namespace.
async fn refuse(
    main: &Arc<App>,
    row: &Match,
    sent: Result<Authentication, Problem>,
    request: &Request,
) -> Response {
    let audience = Audience::of(false, &request.headers, true);
    let visitor = Visitor::of(request);
    let counted = count_write(main, row, &sent, request).await;
    let status = counted.as_ref().ok().copied().flatten();
    let admitted = counted.and_then(|status| status.map_or(Ok(()), |status| status.admit()));
    let refused = match (admitted, sent) {
        (Err(problem), _) | (Ok(()), Err(problem)) => Err(problem),
        (Ok(()), Ok(Authentication::Valid(_))) => Err(Problem::nothing_here()),
        (Ok(()), Ok(sent)) => closed_reads::refuse(&sent, visitor, request, main.reader.settings.path()),
    };
    let response = match refused {
        Ok(response) => response,
        Err(problem) => visitor.map_error(&main.reader, audience.map_error(problem), &request.id).await,
    };
    let mut response = audience.map_response(response);
    if let Some(status) = status {
        status.set_headers(response.headers_mut());
    }
    response
}

impl App {
    /// Refuses a caller whose credential has ended since the request began. Called again before a commit.
    pub(crate) fn require_valid(&self, credential: &Credential) -> Result<(), Problem> {
        match (&self.accounts, credential) {
            (Some(accounts), Credential::Elsewhere(actor)) => accounts.require_valid(&self.registry, actor),
            _ => require_session(&self.registry, &self.local, credential),
        }
    }

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
