//! Conversions from the errors of the floors below.
//!
//! Their texts are fragments, written to follow a colon. Each conversion makes
//! one sentence of such a fragment.

use std::time::Duration;

use generator::address::QueryError;
use generator::render::RenderError;
use registry::access::{AuthError, Denied};
use registry::journal::JournalError;
use registry::local::LocalError;
use registry::ops::OpError;
use registry::package::{Finding, Refusal};
use registry::publishing::PublishError;
use registry::{CommitError, with_causes};

use super::{ErrorEntry, Problem};
use crate::identity;

/// `Retry-After` while a disk or a database fails.
const STORAGE_RETRY: Duration = Duration::from_secs(5);

/// `Retry-After` while an issuer of tokens fails.
const ISSUER_RETRY: Duration = Duration::from_secs(30);

impl From<QueryError> for Problem {
    fn from(error: QueryError) -> Self {
        Self::invalid_field(error.field, error.message).public()
    }
}

impl From<AuthError> for Problem {
    /// One answer for all, so that the holder of a stolen token learns nothing.
    fn from(error: AuthError) -> Self {
        match error {
            AuthError::Unknown | AuthError::Expired | AuthError::Disabled | AuthError::NoSuchUser => {
                Self::invalid_token()
            }
        }
    }
}

impl From<identity::Refusal> for Problem {
    fn from(refusal: identity::Refusal) -> Self {
        let mut sentence = refusal.to_string();
        sentence.push('.');
        sentence[..1].make_ascii_uppercase();
        match refusal {
            identity::Refusal::Group { .. } => Self::forbidden(sentence),
            refusal if refusal.is_of_issuer() => Self::unavailable(sentence, ISSUER_RETRY),
            _ => Self::wrong_password(sentence),
        }
    }
}

impl From<Denied> for Problem {
    fn from(denied: Denied) -> Self {
        Self::forbidden(format!("Not allowed: {}.", denied.0))
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        invalid_package(&refusal.findings)
    }
}

impl From<OpError> for Problem {
    fn from(error: OpError) -> Self {
        match error {
            OpError::Invalid { field, message } => Self::invalid_field(field, message),
            OpError::Forbidden(why) => Self::forbidden(format!("Not allowed: {why}.")),
            OpError::NotFound(why) => Self::not_found(format!("Not found: {why}.")),
            OpError::Gone(why) => Self::gone(format!("Removed: {why}.")),
            OpError::Conflict(why) => Self::conflict(format!("Conflict: {why}.")),
            OpError::InvalidPackage(findings) => invalid_package(&findings),
        }
    }
}

impl From<JournalError> for Problem {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::Conflict { .. } => {
                Self::unavailable("Too many writers at once: try again.", Duration::from_secs(1))
            }
            JournalError::Storage(..) => {
                tracing::error!(error = %with_causes(&error), "the storage fails");
                Self::storage_fails()
            }
            JournalError::Damaged(..) => Self::internal(error),
        }
    }
}

impl Problem {
    /// The answer to a write that could not be counted: that of a write that could not be stored.
    pub(crate) fn uncounted(error: LocalError) -> Self {
        tracing::error!(error = %with_causes(&error), "the local store fails");
        Self::storage_fails()
    }

    fn storage_fails() -> Self {
        let detail = "The registry's storage fails at the moment; nothing was changed.";
        Self::unavailable(detail, STORAGE_RETRY)
    }
}

impl From<LocalError> for Problem {
    fn from(error: LocalError) -> Self {
        tracing::error!(error = %with_causes(&error), "the local store fails");
        Self::unavailable("Sessions and passwords cannot be read at the moment: try again.", STORAGE_RETRY)
    }
}

impl From<CommitError> for Problem {
    fn from(error: CommitError) -> Self {
        match error {
            CommitError::Auth(error) => error.into(),
            CommitError::Op(error) => error.into(),
            CommitError::Journal(error) => error.into(),
        }
    }
}

impl From<PublishError> for Problem {
    fn from(error: PublishError) -> Self {
        match error {
            PublishError::Archive(error) => Self::internal(error),
            PublishError::Commit(error) => error.into(),
        }
    }
}

impl From<RenderError> for Problem {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::Store(error) => error.into(),
            RenderError::Package(error) => JournalError::from(error).into(),
            error @ (RenderError::Row(_) | RenderError::Missing(_) | RenderError::Page(_)) => {
                Self::internal(error)
            }
        }
    }
}

fn invalid_package(findings: &[Finding]) -> Problem {
    let entry = |finding: &Finding| ErrorEntry {
        code: finding.code.clone().into(),
        field: None,
        path: Some(finding.path.clone()),
        line: finding.line,
        message: finding.message.clone(),
    };
    let detail = match findings {
        [only] => format!("The package is refused: {only}."),
        many => format!(
            "The package is refused for {} reasons, listed in `errors`: fix them and try again.",
            many.len()
        ),
    };
    Problem::invalid_package(detail, findings.iter().map(entry).collect())
}
