//! Errors as clients see them (RFC 9457). Only this module decides the status of
//! an error: handlers return `Err(Problem)`.

mod causes;
mod code;
mod json;
mod line;

use std::borrow::Cow;
use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use generator::address::Format;
use hyper::header::{self, HeaderName, HeaderValue};
use registry::with_causes;

pub use self::code::Code;
pub use self::json::ErrorEntry;
pub(crate) use self::json::ProblemJson;
use crate::Response;
use crate::reads::representation::coding::Coding;
use crate::response_headers::browser_policy::set_browser_policy;
use crate::response_headers::cache_control::CacheClass;
use crate::response_headers::request_id::RequestId;

/// An error for a client. Boxed, because nearly every `Result` of this crate has
/// room for one.
#[derive(Debug)]
pub struct Problem(Box<Facts>);

#[derive(Debug)]
struct Facts {
    code: Code,
    detail: Cow<'static, str>,
    errors: Vec<ErrorEntry>,
    header: Option<(HeaderName, String)>,
    public: bool,
    private: bool,
    cause: Option<Box<dyn Error + Send + Sync>>,
}

/// Constructors, one for each code, so that no problem lacks the header that its
/// status requires.
impl Problem {
    fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = detail.into();
        let (errors, header, public, private, cause) = (Vec::new(), None, false, false, None);
        Self(Box::new(Facts { code, detail, errors, header, public, private, cause }))
    }

    fn header(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.0.header = Some((name, value.into()));
        self
    }

    /// 400: the request as a whole is wrong.
    pub fn invalid(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    /// 400: one field of a body, a form or a query is wrong. `message` follows a
    /// colon and may call the field `it`.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let detail = format!("The field `{field}` is wrong: {message}.");
        Self::new(Code::InvalidRequest, detail).with_errors(vec![ErrorEntry::field(
            "invalid_field",
            field,
            message,
        )])
    }

    /// 400: one field is missing; `remedy` says what to do about it.
    pub fn missing_field(field: &str, remedy: &str) -> Self {
        let message = format!("it is missing: {remedy}");
        Self::new(Code::InvalidRequest, format!("The field `{field}` is missing: {remedy}."))
            .with_errors(vec![ErrorEntry::field("missing_field", field, message)])
    }

    /// 401: no credential was sent.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "This requires a credential: send `Authorization: Bearer <token>`.")
            .header(header::WWW_AUTHENTICATE, "Bearer")
    }

    /// Asks for a name and a password, too (RFC 7617), for clients such as git that send nothing else.
    pub fn ask_for_password(self) -> Self {
        self.header(header::WWW_AUTHENTICATE, "Basic realm=\"Skillmirror\", charset=\"UTF-8\"")
    }

    /// 401: the credential is not valid (RFC 6750, section 3.1).
    pub fn invalid_token() -> Self {
        Self::new(Code::Unauthenticated, "This credential is invalid, revoked or expired: use another one.")
            .header(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")
    }

    /// 401: the owner of a token has to show again that the account at a provider still exists.
    pub fn sign_in_again() -> Self {
        let detail = "This token waits until its owner signs in again in a browser, with the account of their \
                      provider: then it works as before.";
        Self::new(Code::Unauthenticated, detail)
            .header(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")
    }

    /// 401: wrong handle or password.
    pub fn wrong_password(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unauthenticated, detail).header(header::WWW_AUTHENTICATE, "Bearer")
    }

    /// 403.
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, detail)
    }

    /// 404.
    pub fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, detail)
    }

    /// 404 for an address that neither a route nor a document has.
    pub fn nothing_here() -> Self {
        Self::not_found("There is nothing at this address: see docs/api.md for those that exist.")
    }

    /// 405; `allow` is the value of `Allow`.
    pub fn method_not_allowed(allow: impl Into<String>) -> Self {
        let allow = allow.into();
        Self::new(Code::MethodNotAllowed, format!("This address supports only these methods: {allow}."))
            .header(header::ALLOW, allow)
    }

    /// 409.
    pub fn conflict(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Conflict, detail)
    }

    /// 410.
    pub fn gone(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Gone, detail)
    }

    /// 413.
    pub fn too_large(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::TooLarge, detail)
    }

    /// 415.
    pub fn unsupported_media_type(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::UnsupportedMediaType, detail)
    }

    /// 416 for a representation of `size` bytes.
    pub fn range_not_satisfiable(size: u64) -> Self {
        Self::new(
            Code::RangeNotSatisfiable,
            format!("The range has none of the {size} bytes: ask for another one."),
        )
        .header(header::CONTENT_RANGE, format!("bytes */{size}"))
    }

    /// 422; `errors` has every finding.
    pub fn invalid_package(detail: impl Into<Cow<'static, str>>, errors: Vec<ErrorEntry>) -> Self {
        Self::new(Code::InvalidPackage, detail).with_errors(errors)
    }

    /// 429; try again after `wait` (whole seconds, rounded up, at least 1).
    pub fn rate_limited(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::RateLimited, detail).header(header::RETRY_AFTER, seconds(wait))
    }

    /// 503; try again after `wait` (whole seconds, rounded up, at least 1).
    pub fn unavailable(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::Unavailable, detail).header(header::RETRY_AFTER, seconds(wait))
    }

    /// 500. Only the log has the cause, under the request id.
    pub fn internal(cause: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        let mut problem = Self::new(
            Code::Internal,
            "The server failed: an operator finds the cause in the log, under this request id.",
        );
        problem.0.cause = Some(cause.into());
        problem
    }
}

impl Problem {
    /// Adds the single errors.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<ErrorEntry>) -> Self {
        self.0.errors = errors;
        self
    }

    /// Marks it as the answer to a public read: any origin may read it, and caches
    /// may store a 404 or 410 for ten seconds.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.0.public = true;
        self
    }

    /// Marks it as the answer to a request with a credential: no cache stores it,
    /// even if it is public.
    #[must_use]
    pub fn private(mut self) -> Self {
        self.0.private = true;
        self
    }

    /// The code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The sentence for people.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// The single errors.
    pub fn errors(&self) -> &[ErrorEntry] {
        &self.0.errors
    }

    /// The response for git, with the sentence instead of JSON.
    pub fn into_text(self, id: &RequestId) -> Response {
        let text = format!("{}\n", self.0.detail);
        let mut response = self.into_response(id);
        *response.body_mut() = Response::new(text.into()).into_body();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
        response
    }

    /// The response for browsers, with `page` instead of JSON.
    pub fn into_page(self, id: &RequestId, page: Bytes, coding: Coding) -> Response {
        let mut response = self.into_response(id);
        *response.body_mut() = Response::new(page.into()).into_body();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Format::Html.content_type()));
        headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        coding.set_headers(headers);
        set_browser_policy(headers);
        response
    }

    /// The response, `application/problem+json`. Logs the cause of a 500.
    pub fn into_response(self, id: &RequestId) -> Response {
        let Facts { code, detail, errors, header: extra, public, private, cause } = *self.0;
        if let Some(cause) = cause {
            tracing::error!(request_id = %id, cause = with_causes(&*cause), "internal error");
        }
        let document = ProblemJson {
            type_uri: code.type_uri(),
            title: code.title(),
            status: code.status().as_u16(),
            code: code.as_str(),
            detail: &detail,
            request_id: id.as_str(),
            errors: &errors,
        };
        // Strings and numbers always serialize.
        let mut bytes = serde_json::to_vec(&document).unwrap_or_default();
        bytes.push(b'\n');
        let mut response = Response::new(bytes.into());
        *response.status_mut() = code.status();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        let absent = matches!(code, Code::NotFound | Code::Gone);
        let class = if public && absent && !private { CacheClass::Missing } else { CacheClass::Private };
        headers.insert(header::CACHE_CONTROL, class.header());
        if public {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*"));
        }
        if let Some((name, value)) = extra
            && let Ok(value) = HeaderValue::try_from(value)
        {
            headers.insert(name, value);
        }
        response
    }
}

/// `Retry-After` in seconds (RFC 9110, section 10.2.3); at least 1, because 0 asks for a loop.
fn seconds(wait: Duration) -> String {
    wait.as_millis().div_ceil(1000).max(1).to_string()
}
