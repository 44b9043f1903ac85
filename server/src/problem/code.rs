//! The list of error codes, with one row for each.

use hyper::StatusCode;

macro_rules! codes {
    ($($(#[$about:meta])* $code:ident = ($status:ident, $name:literal, $title:literal),)*) => {
        /// An error code, as docs/api.md lists them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
        #[cfg_attr(feature = "openapi", schemars(rename = "ProblemCode", rename_all = "snake_case"))]
        pub enum Code {
            $($(#[$about])* $code,)*
        }

        impl Code {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$code),*];

            /// Status, code in JSON, and title.
            const fn row(self) -> (StatusCode, &'static str, &'static str) {
                match self {
                    $(Self::$code => (StatusCode::$status, $name, $title),)*
                }
            }
        }
    };
}

codes! {
    /// The request is malformed or breaks a rule of its endpoint.
    InvalidRequest = (BAD_REQUEST, "invalid_request", "Invalid request"),
    /// No credential, or an invalid one.
    Unauthenticated = (UNAUTHORIZED, "unauthenticated", "Not signed in"),
    /// A valid credential without the right.
    Forbidden = (FORBIDDEN, "forbidden", "Not allowed"),
    /// Nothing that this caller may see.
    NotFound = (NOT_FOUND, "not_found", "Not found"),
    /// The address does not support this method.
    MethodNotAllowed = (METHOD_NOT_ALLOWED, "method_not_allowed", "Method not allowed"),
    /// The current state of the registry does not allow the request.
    Conflict = (CONFLICT, "conflict", "Conflict"),
    /// It existed and was removed.
    Gone = (GONE, "gone", "Removed"),
    /// The request exceeds a limit in bytes.
    TooLarge = (PAYLOAD_TOO_LARGE, "too_large", "Too large"),
    /// The endpoint does not read bodies of this type.
    UnsupportedMediaType = (UNSUPPORTED_MEDIA_TYPE, "unsupported_media_type", "Unsupported media type"),
    /// The range has no byte of the representation.
    RangeNotSatisfiable = (RANGE_NOT_SATISFIABLE, "range_not_satisfiable", "Range not satisfiable"),
    /// The package in the request is refused.
    InvalidPackage = (UNPROCESSABLE_ENTITY, "invalid_package", "Invalid package"),
    /// Too many requests.
    RateLimited = (TOO_MANY_REQUESTS, "rate_limited", "Too many requests"),
    /// The request may work later.
    Unavailable = (SERVICE_UNAVAILABLE, "unavailable", "Unavailable"),
    /// An error of the server.
    Internal = (INTERNAL_SERVER_ERROR, "internal", "Internal error"),
}

impl Code {
    /// The HTTP status.
    pub const fn status(self) -> StatusCode {
        self.row().0
    }

    /// The title, which every problem of this code has.
    pub const fn title(self) -> &'static str {
        self.row().2
    }

    /// The problem type. A name, because an address would differ between the
    /// server and its mirrors (RFC 9457, section 3.1.1).
    pub fn type_uri(self) -> String {
        format!("urn:skillmirror:problem:{}", self.as_str())
    }

    /// The code in JSON.
    pub const fn as_str(self) -> &'static str {
        self.row().1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_and_codes_are_those_of_the_api() {
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
