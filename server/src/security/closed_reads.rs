//! Closed registries: decides which requests need a credential, and refuses those without.

use std::sync::Arc;

use generator::address::locate;
use hyper::header::{CACHE_CONTROL, HeaderValue, LOCATION, VARY};
use hyper::{HeaderMap, Method, StatusCode, Uri};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use registry::private::Scope;
use registry::read_key::ReadKey;

use crate::problem::Problem;
use crate::reads::not_found_page::Visitor;
use crate::reads::tree_reader::TreeReader;
use crate::request::Request;
use crate::response_headers::cache_control::CacheClass;
use crate::routes::{Access, Match};
use crate::security::auth::{Authentication, require_read_key, sent_secret};
use crate::security::cors::Audience;
use crate::security::read_keys::ReadKeys;
use crate::{Response, reads};

/// Whether a request is answered without a credential: discovery and signing in, and routes that do not read or
/// ask for a credential themselves.
pub fn is_open(request: &Request, row: &Match) -> bool {
    let is_open_route = match row {
        Match::Found { route, .. } => !matches!(route.access, Access::PublicRead | Access::Reader),
        // It tells the methods of an address.
        Match::Preflight { .. } => true,
        Match::WrongMethod { .. } | Match::NotFound => false,
    };
    is_open_route || is_open_document(request)
}

/// Whether a request reads a document that is open to everyone.
pub fn is_open_document(request: &Request) -> bool {
    let is_read = matches!(request.method, Method::GET | Method::HEAD);
    let path = request.path.decoded().filter(|_| is_read);
    let document = path.and_then(|path| locate(&path, &request.query).ok().flatten());
    document.is_some_and(|document| document.is_open())
}

/// Refuses a request without the right to read. The refusal is the same whether there is something at the address or
/// not. A browser is led to the page to sign in, and git is asked for a name and a password.
pub fn refuse(
    sent: &Authentication,
    visitor: Visitor,
    request: &Request,
    base_path: &str,
) -> Result<Response, Problem> {
    match (sent, visitor) {
        (Authentication::Valid(caller), _) => {
            Err(caller.actor.needs(Scope::Read).map_or_else(Problem::from, |()| Problem::unauthenticated()))
        }
        (_, Visitor::Browser { .. }) => redirect_to_sign_in(request, base_path),
        (_, Visitor::Git) => Err(Problem::unauthenticated().ask_for_password()),
        (_, Visitor::Program | Visitor::Reader) => Err(Problem::unauthenticated()),
    }
}

fn redirect_to_sign_in(request: &Request, base_path: &str) -> Result<Response, Problem> {
    let target = request.target();
    let to = utf8_percent_encode(target.trim_start_matches('/'), NON_ALPHANUMERIC);
    let location = HeaderValue::try_from(format!("{base_path}/login/?to={to}")).map_err(Problem::internal)?;
    let mut response = Response::default();
    *response.status_mut() = StatusCode::SEE_OTHER;
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    headers.insert(CACHE_CONTROL, CacheClass::Private.header());
    headers.insert(VARY, HeaderValue::from_static("Accept"));
    Ok(response)
}

/// Answers a read of a closed registry from memory, if a moment ago its read key was found to be valid.
pub fn at_once(
    keys: &ReadKeys,
    reader: &TreeReader,
    (method, target, headers): (&Method, &Uri, &HeaderMap),
) -> Option<Response> {
    let secret = sent_secret(headers, true).ok()??;
    if !keys.is_known(&secret) {
        return None;
    }
    let response = reads::from_memory(&reader.documents, method, target, headers)?;
    Some(Audience::of(true, headers, false).map_closed(response))
}

/// Checks the read key of a request to a server without accounts.
///
/// Errors: 401 without a valid one, which lets browsers and git ask for it.
pub async fn require_key(keys: &Arc<ReadKeys>, headers: &HeaderMap) -> Result<(), Problem> {
    match sent_secret(headers, true)?.and_then(|secret| ReadKey::read(&secret)) {
        Some(key) => require_read_key(keys, key).await,
        None => Err(Problem::unauthenticated()),
    }
}
