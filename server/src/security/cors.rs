//! Which pages may read a response (CORS), and which caches may store it.

use generator::address::Lifetime;
use hyper::StatusCode;
use hyper::header::{self, AUTHORIZATION, CACHE_CONTROL, HeaderMap, HeaderValue};

use crate::Response;
use crate::problem::Problem;
use crate::response_headers::cache_control::CacheClass;

/// The readers that a response is meant for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Audience {
    /// Whether pages of any origin may read the response.
    is_public: bool,
    /// Whether no cache may store it, because the request had a credential.
    is_private: bool,
}

impl Audience {
    /// The audience of the response to a request.
    ///
    /// A request with a valid session cookie gets a response that no foreign
    /// page may read, even for public documents.
    pub fn of(is_public: bool, headers: &HeaderMap, is_signed_in: bool) -> Self {
        let has_token = headers.contains_key(AUTHORIZATION);
        Self { is_public: is_public && (has_token || !is_signed_in), is_private: has_token || is_signed_in }
    }

    /// Marks an error for this audience.
    pub fn map_error(self, problem: Problem) -> Problem {
        let problem = if self.is_public { problem.public() } else { problem };
        if self.is_private { problem.private() } else { problem }
    }

    /// Adapts the headers of a read of a closed registry.
    pub fn map_closed(self, response: Response) -> Response {
        let sent = response.headers().get(CACHE_CONTROL).cloned();
        let mut response = self.map_response(response);
        let headers = response.headers_mut();
        headers.append(header::VARY, HeaderValue::from_static("Authorization, Cookie"));
        for lifetime in [Lifetime::Immutable, Lifetime::Short] {
            if sent.as_ref().is_some_and(|sent| *sent == lifetime.cache_control()) {
                headers.insert(CACHE_CONTROL, HeaderValue::from_static(lifetime.private_cache_control()));
            }
        }
        response
    }

    /// Adapts the headers of a response to this audience.
    pub fn map_response(self, mut response: Response) -> Response {
        if self.is_private {
            response.headers_mut().insert(CACHE_CONTROL, CacheClass::Private.header());
            if !self.is_public {
                response.headers_mut().remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
            }
        }
        response
    }
}

/// The response to the CORS preflight of a public read: 204. Other origins may
/// only read, even if `allow`, the value of `Allow`, has other methods.
pub fn preflight(allow: &str) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NO_CONTENT;
    let headers = response.headers_mut();
    open_to_any_origin(headers);
    if let Ok(allow) = HeaderValue::from_str(allow) {
        headers.insert(header::ALLOW, allow);
    }
    headers.insert(header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, HEAD"));
    let conditions = HeaderValue::from_static("If-None-Match, If-Modified-Since, If-Range, Range");
    headers.insert(header::ACCESS_CONTROL_ALLOW_HEADERS, conditions);
    headers.insert(header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("86400"));
    response
}

/// Lets pages of any origin read a response and the headers of a download.
pub fn open_to_any_origin(headers: &mut HeaderMap) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
    let exposed = "Accept-Ranges, Content-Disposition, Content-Range, ETag, Repr-Digest, X-Request-Id";
    headers.insert(header::ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(exposed));
}
