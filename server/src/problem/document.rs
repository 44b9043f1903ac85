//! What a problem looks like on the wire.

use std::borrow::Cow;

use serde::Serialize;

/// The document of a problem (RFC 9457).
#[derive(Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "openapi", schemars(rename = "Problem"))]
pub(crate) struct Document<'a> {
    #[serde(rename = "type")]
    #[cfg_attr(feature = "openapi", schemars(extend("pattern" = "^urn:skillmirror:problem:[a-z_]+$")))]
    pub(super) type_uri: &'a str,
    /// The same for each occurrence.
    pub(super) title: &'a str,
    /// The status of the answer.
    pub(super) status: u16,
    /// For programs.
    #[cfg_attr(feature = "openapi", schemars(with = "super::Code"))]
    pub(super) code: &'a str,
    /// A sentence for people: what is wrong, and what to do.
    pub(super) detail: &'a str,
    /// Under which the server's log has more.
    #[serde(rename = "requestId")]
    pub(super) request_id: &'a str,
    /// What is wrong in particular, where there is something to say.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) errors: &'a [ErrorEntry],
}

/// One thing that is wrong, where there may be several.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(schemars::JsonSchema))]
pub struct ErrorEntry {
    /// A stable word for programs, such as `unknown_field`.
    pub code: Cow<'static, str>,
    /// The field of the request it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schemars(with = "String"))]
    pub field: Option<String>,
    /// The file in the package it is about; null for the package as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<Option<String>>,
    /// The line in that file, from 1.
    pub line: Option<u64>,
    /// A sentence for people.
    pub message: String,
}

impl ErrorEntry {
    /// An entry about a field of the request.
    pub fn field(code: &'static str, field: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code: code.into(), field: Some(field.into()), path: None, line: None, message: message.into() }
    }

    /// An entry about a file of a package.
    pub fn path(
        code: impl Into<Cow<'static, str>>,
        path: Option<String>,
        line: Option<u64>,
        message: impl Into<String>,
    ) -> Self {
        Self { code: code.into(), field: None, path: Some(path), line, message: message.into() }
    }
}
