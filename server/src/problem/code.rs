//! The closed list of error codes: one row each.

use hyper::StatusCode;

/// An error code of the wire contract, section 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "ProblemCode", rename_all = "snake_case"))]
pub enum Code {
    /// The request can't be understood, or breaks a rule of its endpoint.
    InvalidRequest,
    /// No credential, or one that isn't valid.
    Unauthenticated,
    /// A valid credential that doesn't suffice.
    Forbidden,
    /// Nothing is there for this caller.
    NotFound,
    /// The address exists; this method on it doesn't.
    MethodNotAllowed,
    /// The state of the registry forbids it.
    Conflict,
    /// It was there and was removed.
    Gone,
    /// The request is over a limit in bytes.
    TooLarge,
    /// The body is not of a type that the endpoint reads.
    UnsupportedMediaType,
    /// The range lies outside of the representation.
    RangeNotSatisfiable,
    /// The request was understood, the package in it was refused.
    InvalidPackage,
    /// Too many requests of a kind.
    RateLimited,
    /// Not now; later it may work.
    Unavailable,
    /// Our fault.
    Internal,
}

impl Code {
    /// All of them.
    pub const ALL: [Self; 14] = [
        Self::InvalidRequest,
        Self::Unauthenticated,
        Self::Forbidden,
        Self::NotFound,
        Self::MethodNotAllowed,
        Self::Conflict,
        Self::Gone,
        Self::TooLarge,
        Self::UnsupportedMediaType,
        Self::RangeNotSatisfiable,
        Self::InvalidPackage,
        Self::RateLimited,
        Self::Unavailable,
        Self::Internal,
    ];

    /// Status, title, and type. A type is a name rather than an address (RFC
    /// 9457, section 3.1.1 wants it absolute): it says the same on the server,
    /// on every mirror and behind any public URL.
    const fn row(self) -> (StatusCode, &'static str, &'static str) {
        use StatusCode as S;
        match self {
            Self::InvalidRequest => {
                (S::BAD_REQUEST, "Invalid request", "urn:skillmirror:problem:invalid_request")
            }
            Self::Unauthenticated => {
                (S::UNAUTHORIZED, "Not signed in", "urn:skillmirror:problem:unauthenticated")
            }
            Self::Forbidden => (S::FORBIDDEN, "Not allowed", "urn:skillmirror:problem:forbidden"),
            Self::NotFound => (S::NOT_FOUND, "Not found", "urn:skillmirror:problem:not_found"),
            Self::MethodNotAllowed => {
                (S::METHOD_NOT_ALLOWED, "Method not allowed", "urn:skillmirror:problem:method_not_allowed")
            }
            Self::Conflict => (S::CONFLICT, "Conflict", "urn:skillmirror:problem:conflict"),
            Self::Gone => (S::GONE, "Removed", "urn:skillmirror:problem:gone"),
            Self::TooLarge => (S::PAYLOAD_TOO_LARGE, "Too large", "urn:skillmirror:problem:too_large"),
            Self::UnsupportedMediaType => (
                S::UNSUPPORTED_MEDIA_TYPE,
                "Unsupported media type",
                "urn:skillmirror:problem:unsupported_media_type",
            ),
            Self::RangeNotSatisfiable => (
                S::RANGE_NOT_SATISFIABLE,
                "Range not satisfiable",
                "urn:skillmirror:problem:range_not_satisfiable",
            ),
            Self::InvalidPackage => {
                (S::UNPROCESSABLE_ENTITY, "Invalid package", "urn:skillmirror:problem:invalid_package")
            }
            Self::RateLimited => {
                (S::TOO_MANY_REQUESTS, "Too many requests", "urn:skillmirror:problem:rate_limited")
            }
            Self::Unavailable => {
                (S::SERVICE_UNAVAILABLE, "Unavailable", "urn:skillmirror:problem:unavailable")
            }
            Self::Internal => {
                (S::INTERNAL_SERVER_ERROR, "Internal error", "urn:skillmirror:problem:internal")
            }
        }
    }

    /// The HTTP status.
    pub const fn status(self) -> StatusCode {
        self.row().0
    }

    /// The short sentence that is the same for each occurrence.
    pub const fn title(self) -> &'static str {
        self.row().1
    }

    /// The problem type: `urn:skillmirror:problem:<code>`.
    pub const fn type_uri(self) -> &'static str {
        self.row().2
    }

    /// The code on the wire.
    pub fn as_str(self) -> &'static str {
        self.type_uri().rsplit(':').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_contract() {
        let table = [
            (400, "invalid_request", Code::InvalidRequest),
            (401, "unauthenticated", Code::Unauthenticated),
            (403, "forbidden", Code::Forbidden),
            (404, "not_found", Code::NotFound),
            (405, "method_not_allowed", Code::MethodNotAllowed),
            (409, "conflict", Code::Conflict),
            (410, "gone", Code::Gone),
            (413, "too_large", Code::TooLarge),
            (415, "unsupported_media_type", Code::UnsupportedMediaType),
            (416, "range_not_satisfiable", Code::RangeNotSatisfiable),
            (422, "invalid_package", Code::InvalidPackage),
            (429, "rate_limited", Code::RateLimited),
            (503, "unavailable", Code::Unavailable),
            (500, "internal", Code::Internal),
        ];
        for (status, name, code) in table {
            assert_eq!((code.status().as_u16(), code.as_str()), (status, name));
        }
    }
}
