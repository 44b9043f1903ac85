//! The operations, one verb a file. Each is pure: it looks at the catalog and
//! says what should be written and answered; it writes nothing itself.

pub mod create_namespace;
pub mod issue_token;
pub mod members;
mod package_name;
pub mod publish;
mod publish_draft;
mod publish_version;
pub mod revoke_token;
pub mod set_up;
pub mod update_namespace;
pub mod users;

use crate::access::Denied;
use crate::catalog::Catalog;
use crate::journal::Revision;
use crate::names::Namespace;
use crate::package::Finding;
use crate::private::PrivateChange;
use crate::public::{NamespaceEntry, NamespaceStatus, PublicRecord};
use crate::time::Timestamp;

/// What an operation wants written, and what it answers once it is. All
/// changes become one journal row; without changes there is no row.
#[derive(Debug)]
pub struct Decision<R> {
    /// What only this registry will know.
    pub private: Vec<PrivateChange>,
    /// What everyone will see.
    pub public: Option<PublicRecord>,
    /// The answer.
    pub reply: R,
}

impl<R> Decision<R> {
    /// Nothing is to be written.
    pub fn nothing(reply: R) -> Self {
        Self { private: Vec::new(), public: None, reply }
    }

    /// One private change.
    pub fn private(change: PrivateChange, reply: R) -> Self {
        Self { private: vec![change], public: None, reply }
    }

    /// One public change.
    pub fn public(record: PublicRecord, reply: R) -> Self {
        Self { private: Vec::new(), public: Some(record), reply }
    }
}

/// When a decision is made, and the revision it will have.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The time of the row to come.
    pub now: Timestamp,
    /// Its number.
    pub revision: Revision,
}

/// Why an operation is refused. Each carries a sentence for the caller.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OpError {
    /// A field's value is not one that the operation can take.
    #[error("{field}: {message}")]
    Invalid {
        /// The field's name on the wire.
        field: &'static str,
        /// What is wrong, and what to do; `it` is the field.
        message: String,
    },
    /// The caller may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// What the operation is about is not there.
    #[error("{0}")]
    NotFound(String),
    /// The state of the registry stands against it.
    #[error("{0}")]
    Conflict(String),
    /// The package's content stands against it.
    #[error("the package is refused: {}", .0.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; "))]
    InvalidPackage(Vec<Finding>),
}

impl From<Denied> for OpError {
    fn from(denied: Denied) -> Self {
        Self::Forbidden(denied.0)
    }
}

/// The namespace, or the sentence that there is none.
fn namespace<'a>(catalog: Catalog<'a>, name: &Namespace) -> Result<&'a NamespaceEntry, OpError> {
    catalog.namespace(name).ok_or_else(|| {
        OpError::NotFound(format!("there is no namespace `{name}`: make it first, or check its name"))
    })
}

/// Refuses what a frozen or archived namespace does not allow.
fn require_active(entry: &NamespaceEntry) -> Result<(), OpError> {
    let state = match entry.state.status {
        NamespaceStatus::Active => return Ok(()),
        NamespaceStatus::Frozen => "frozen",
        NamespaceStatus::Archived => "archived",
    };
    Err(OpError::Conflict(format!(
        "the namespace `{}` is {state}: an owner can set its status to `active`",
        entry.state.slug
    )))
}

/// Checks a text for people: no control characters, at most `max` characters.
fn check_text(field: &'static str, text: &str, max: usize) -> Result<(), OpError> {
    if text.chars().count() > max {
        return Err(OpError::Invalid {
            field,
            message: format!("it may have at most {max} characters: shorten it"),
        });
    }
    if text.chars().any(|c| c.is_control() && !matches!(c, '\n' | '\t' | '\r')) {
        return Err(OpError::Invalid { field, message: "it has control characters: remove them".into() });
    }
    Ok(())
}

/// Checks a name for people: like [`check_text`], one line, not blank.
fn check_title(field: &'static str, text: &str, max: usize) -> Result<(), OpError> {
    check_text(field, text, max)?;
    if text.trim().is_empty() || text.contains(['\n', '\r']) {
        return Err(OpError::Invalid { field, message: "it must be one line that is not blank".into() });
    }
    Ok(())
}
