//! The JSON document of a problem.

use std::borrow::Cow;

use serde::Serialize;

/// The JSON document of a problem (RFC 9457).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Problem"))]
pub(crate) struct ProblemJson<'a> {
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schemars(extend("pattern" = "^urn:skillmirror:problem:[a-z_]+$")))]
    pub(super) type_uri: String,
    /// The short description of the code.
    pub(super) title: &'a str,
    /// The status of the response.
    pub(super) status: u16,
    /// The code for programs.
    #[cfg_attr(feature = "openapi", schemars(with = "super::Code"))]
    pub(super) code: &'a str,
    /// A sentence for people: what is wrong and what to do.
    pub(super) detail: &'a str,
    /// Identifies the request in the log of the server.
    #[serde(rename = "requestId")]
    pub(super) request_id: &'a str,
    /// Every single error, if there are several or they concern a field or a file.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) errors: &'a [ErrorEntry],
}

/// One error of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct ErrorEntry {
    /// A stable code for programs, such as `unknown_field`.
    pub code: Cow<'static, str>,
    /// The field of the request that is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub field: Option<String>,
    /// The file of the package that is wrong; null for the package as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Option<String>>,
    /// The line in that file, from 1.
    pub line: Option<u64>,
    /// A sentence for people.
    pub message: String,
}

impl ErrorEntry {
    /// An error in a field of the request.
    pub fn field(code: &'static str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), field: Some(field.into()), path: None, line: None, message: message.into() }
    }
}
