//! Errors of packages on the local disk.

use registry::package::{Finding, Refusal};

/// Why a local package cannot be published.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// It cannot be read. The text says why and what to do.
    #[error("{0}")]
    Unread(String),
    /// Its content is refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

impl From<String> for LocalError {
    fn from(why: String) -> Self {
        Self::Unread(why)
    }
}

/// A refusal with one error.
pub(super) fn refused(code: &str, path: Option<&str>, message: String) -> LocalError {
    Refusal { findings: vec![problem(code, path, message)], warnings: Vec::new() }.into()
}

/// An error about a local file.
pub(super) fn problem(code: &str, path: Option<&str>, message: String) -> Finding {
    Finding {
        path: path.map(str::to_owned),
        line: None,
        column: None,
        code: code.to_owned(),
        message,
        level: None,
    }
}
