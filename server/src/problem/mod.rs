//! Errors as clients see them (RFC 9457), and the only place that decides
//! which status an error has.
//!
//! A handler returns `Err(Problem)` and knows no status code. Conversions from
//! the errors of the floors below (`impl From<…> for Problem`) belong here.

mod causes;
mod code;
mod document;

use std::borrow::Cow;
use std::fmt::Display;
use std::time::Duration;

use bytes::Bytes;
use generator::address::Format;
use hyper::header::{self, HeaderName, HeaderValue};

pub use self::code::Code;
pub(crate) use self::document::Document;
pub use self::document::ErrorEntry;
use crate::Response;
use crate::cache_control::CacheClass;
use crate::representation::set_browser_policy;
use crate::request::RequestId;

/// An error on its way to a client. Boxed, since nearly every `Result` of this
/// crate has room for one.
#[derive(Debug)]
pub struct Problem(Box<Facts>);

#[derive(Debug)]
struct Facts {
    code: Code,
    detail: Cow<'static, str>,
    errors: Vec<ErrorEntry>,
    hint: Option<(HeaderName, String)>,
    public: bool,
    private: bool,
    cause: Option<String>,
}

/// Constructors: one for each code, so that none is made without the header
/// that its status must have.
impl Problem {
    fn new(code: Code, detail: impl Into<Cow<'static, str>>) -> Self {
        let detail = detail.into();
        let (errors, hint, public, private, cause) = (Vec::new(), None, false, false, None);
        Self(Box::new(Facts { code, detail, errors, hint, public, private, cause }))
    }

    fn hint(mut self, name: HeaderName, value: impl Into<String>) -> Self {
        self.0.hint = Some((name, value.into()));
        self
    }

    /// 400: the request as a whole is wrong.
    pub fn invalid(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidRequest, detail)
    }

    /// 400: one field (of a body, a form or a query) is wrong. `message` goes on
    /// after a colon, and may call the field `it`.
    pub fn invalid_field(field: &str, message: impl Into<String>) -> Self {
        let message = message.into();
        let detail = causes::sentence(format!("the field `{field}` is wrong: {message}"));
        Self::new(Code::InvalidRequest, detail).with_errors(vec![ErrorEntry::field(
            "invalid_field",
            field,
            message,
        )])
    }

    /// 400: one field is not there; `remedy` says what to do about it.
    pub fn missing_field(field: &str, remedy: &str) -> Self {
        let message = format!("it is missing: {remedy}");
        Self::new(Code::InvalidRequest, format!("The field `{field}` is missing: {remedy}."))
            .with_errors(vec![ErrorEntry::field("missing_field", field, message)])
    }

    /// 401: nothing was presented.
    pub fn unauthenticated() -> Self {
        Self::new(Code::Unauthenticated, "This needs a credential: send `Authorization: Bearer <token>`.")
            .hint(header::WWW_AUTHENTICATE, "Bearer")
    }

    /// 401: what was presented is not valid (RFC 6750, section 3.1).
    pub fn invalid_token() -> Self {
        Self::new(
            Code::Unauthenticated,
            "This credential is not valid, was revoked or has expired: use another one.",
        )
        .hint(header::WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"")
    }

    /// 401: handle and password do not belong together.
    pub fn wrong_password(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Unauthenticated, detail).hint(header::WWW_AUTHENTICATE, "Bearer")
    }

    /// 403.
    pub fn forbidden(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::Forbidden, detail)
    }

    /// 404.
    pub fn not_found(detail: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, detail)
    }

    /// 405; `allow` is the list of methods as the header wants it.
    pub fn method_not_allowed(allow: impl Into<String>) -> Self {
        let allow = allow.into();
        Self::new(Code::MethodNotAllowed, format!("This address knows only these methods: {allow}."))
            .hint(header::ALLOW, allow)
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
        Self::new(Code::RangeNotSatisfiable, format!("The range lies outside of the {size} bytes there are."))
            .hint(header::CONTENT_RANGE, format!("bytes */{size}"))
    }

    /// 422; the contract wants every offending entry in `errors`.
    pub fn invalid_package(detail: impl Into<Cow<'static, str>>, errors: Vec<ErrorEntry>) -> Self {
        Self::new(Code::InvalidPackage, detail).with_errors(errors)
    }

    /// 429; try again after `wait` (whole seconds, rounded up, at least 1).
    pub fn rate_limited(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::RateLimited, detail).hint(header::RETRY_AFTER, seconds(wait))
    }

    /// 503; try again after `wait` (whole seconds, rounded up, at least 1).
    pub fn unavailable(detail: impl Into<Cow<'static, str>>, wait: Duration) -> Self {
        Self::new(Code::Unavailable, detail).hint(header::RETRY_AFTER, seconds(wait))
    }

    /// 500. The cause goes to the log, under the request id, and nowhere else.
    pub fn internal(cause: impl Display) -> Self {
        let mut problem = Self::new(
            Code::Internal,
            "Something went wrong on our side; the log has it under this request id.",
        );
        problem.0.cause = Some(cause.to_string());
        problem
    }
}

impl Problem {
    /// Adds what is wrong in particular.
    #[must_use]
    pub fn with_errors(mut self, errors: Vec<ErrorEntry>) -> Self {
        self.0.errors = errors;
        self
    }

    /// Marks it as the answer to a public read: any origin may see it, and an
    /// absence may be kept for ten seconds.
    #[must_use]
    pub fn public(mut self) -> Self {
        self.0.public = true;
        self
    }

    /// Marks it as the answer to somebody signed in: nobody keeps it, even
    /// where anyone may see it.
    #[must_use]
    pub fn private(mut self) -> Self {
        self.0.private = true;
        self
    }

    /// Its code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// Its sentence for people.
    pub fn detail(&self) -> &str {
        &self.0.detail
    }

    /// What is wrong in particular.
    pub fn errors(&self) -> &[ErrorEntry] {
        &self.0.errors
    }

    /// The response with a page for browsers in the place of the document.
    pub fn into_page(self, id: &RequestId, page: Bytes) -> Response {
        let mut response = self.into_response(id);
        *response.body_mut() = Response::new(page.into()).into_body();
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(Format::Html.content_type()));
        headers.remove(header::ACCESS_CONTROL_ALLOW_ORIGIN);
        set_browser_policy(headers);
        response
    }

    /// The response, `application/problem+json`. Logs the cause of a 500.
    pub fn into_response(self, id: &RequestId) -> Response {
        let Facts { code, detail, errors, hint, public, private, cause } = *self.0;
        if let Some(cause) = cause {
            tracing::error!(request_id = %id, cause, "internal error");
        }
        let document = Document {
            type_uri: code.type_uri(),
            title: code.title(),
            status: code.status().as_u16(),
            code: code.as_str(),
            detail: &detail,
            request_id: id.as_str(),
            errors: &errors,
        };
        // A struct of strings and numbers can't fail to become JSON.
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
        if let Some((name, value)) = hint
            && let Ok(value) = HeaderValue::try_from(value)
        {
            headers.insert(name, value);
        }
        response
    }
}

/// `Retry-After` in seconds (RFC 9110, section 10.2.3); 0 would ask for a loop.
fn seconds(wait: Duration) -> String {
    wait.as_millis().div_ceil(1000).max(1).to_string()
}
