//! The operations of a registry: a module for each thing, a function for each verb, as in
//! `tags::set`. The private modules are parts of `publish`, but for `decision`.
//!
//! Operations are pure: they look at the catalog and return the changes to write and the
//! reply. [`Registry::commit`](crate::Registry::commit) writes the changes.

pub mod account;
pub mod advisories;
pub mod bundles;
mod decision;
pub mod identities;
pub mod invitations;
pub mod members;
pub mod namespaces;
mod package_name;
pub mod private_namespaces;
pub mod promotions;
pub mod publish;
mod publish_draft;
mod publish_input;
mod publish_tags;
mod publish_version;
pub mod publishers;
mod quota_checks;
pub mod ratings;
pub mod reviews;
pub mod set_up;
pub mod skills;
pub mod stars;
pub mod tags;
pub mod tokens;
pub mod transfers;
pub mod users;
pub mod verdicts;
pub mod versions;

use crate::access::{Access, Actor, Denied};
use crate::catalog::Catalog;
use crate::journal::Revision;
use crate::names::{Coordinate, Digest, Handle, Namespace, Version};
use crate::package::{Finding, secret_in_text};
use crate::private::{Authority, PrivateChange, Takedown, User};
use crate::public::{NamespaceEntry, NamespaceStatus, PublicCatalog, Skill, VersionEntry};
use crate::text_rules;
use crate::time::Timestamp;

pub use decision::Decision;

/// Everything an operation may look at besides its input.
#[derive(Clone, Copy)]
pub struct CommitContext<'a> {
    /// The state of the registry before the decision.
    pub catalog: Catalog<'a>,
    /// The authenticated caller.
    pub actor: &'a Actor,
    /// The clock, which expiries are compared with.
    pub now: Timestamp,
    /// The time of the row that the decision becomes. It is later than the clock if that has been set back.
    pub at: Timestamp,
    /// The revision of that row.
    pub revision: Revision,
}

impl<'a> CommitContext<'a> {
    /// The caller's rights.
    fn access(&self) -> Access<'a> {
        Access::of(self.catalog, self.actor)
    }

    /// The caller's handle, for operations that need a person.
    fn caller(&self) -> Result<&'a Handle, OpError> {
        self.actor
            .handle
            .as_ref()
            .ok_or_else(|| OpError::Forbidden("this operation needs a user: name the one to act for".into()))
    }
}

/// Why an operation is refused, as a sentence for the caller.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OpError {
    /// The value of a field is invalid.
    #[error("{field}: {message}")]
    Invalid {
        /// The name of the field in the request.
        field: &'static str,
        /// What is wrong and how to correct it. `it` stands for the field.
        message: String,
    },
    /// The caller lacks a right.
    #[error("{0}")]
    Forbidden(String),
    /// The target does not exist.
    #[error("{0}")]
    NotFound(String),
    /// The target was removed.
    #[error("{0}")]
    Gone(String),
    /// The operation conflicts with the state of the registry.
    #[error("{0}")]
    Conflict(String),
    /// The content of the package is invalid.
    #[error("the package is refused: {}", .0.iter().map(|finding| finding.message.as_str()).collect::<Vec<_>>().join("; "))]
    InvalidPackage(Vec<Finding>),
}

impl From<Denied> for OpError {
    fn from(denied: Denied) -> Self {
        Self::Forbidden(denied.0)
    }
}

/// Finds a namespace, or returns [`OpError::NotFound`].
pub fn namespace<'a>(catalog: Catalog<'a>, name: &Namespace) -> Result<&'a NamespaceEntry, OpError> {
    let missing = || format!("there is no namespace `{name}`: create it first, or check its name");
    catalog.namespace(name).ok_or_else(|| OpError::NotFound(missing()))
}

/// Finds a skill, or returns [`OpError::NotFound`] or [`OpError::Gone`].
pub fn skill<'a>(catalog: Catalog<'a>, coordinate: &Coordinate) -> Result<&'a Skill, OpError> {
    public_skill(catalog.public, coordinate)
}

/// Like [`skill`], from the public half of the catalog.
pub fn public_skill<'a>(public: &'a PublicCatalog, coordinate: &Coordinate) -> Result<&'a Skill, OpError> {
    public.skill(coordinate).ok_or_else(|| match public.removed(coordinate) {
        Some(_) => OpError::Gone(format!(
            "the skill {} was removed: its author or the namespace's owners can restore it",
            coordinate.scoped()
        )),
        None => no_skill(coordinate),
    })
}

fn no_skill(coordinate: &Coordinate) -> OpError {
    OpError::NotFound(format!("there is no skill {}: check its name", coordinate.scoped()))
}

/// Finds a version of a skill, or returns [`OpError::NotFound`].
pub fn version<'a>(skill: &'a Skill, version: &Version) -> Result<&'a VersionEntry, OpError> {
    let name = skill.coordinate.scoped();
    let unknown = || OpError::NotFound(format!("{name} has no version {version}: list its versions"));
    skill.version(version).ok_or_else(unknown)
}

/// Finds an account, or returns [`OpError::NotFound`].
pub fn user<'a>(catalog: Catalog<'a>, handle: &Handle) -> Result<&'a User, OpError> {
    let unknown = || OpError::NotFound(format!("there is no user `{handle}`: check the handle"));
    catalog.private.user(handle).ok_or_else(unknown)
}

/// Finds an enabled account. A disabled one gets the error of an unknown one.
fn enabled_user<'a>(catalog: Catalog<'a>, handle: &Handle) -> Result<&'a User, OpError> {
    let unknown = || OpError::NotFound(format!("there is no user `{handle}`: check the handle"));
    catalog.private.user(handle).filter(|user| !user.disabled).ok_or_else(unknown)
}

fn conflict<T>(why: impl Into<String>) -> Result<T, OpError> {
    Err(OpError::Conflict(why.into()))
}

fn invalid<T>(field: &'static str, message: impl Into<String>) -> Result<T, OpError> {
    Err(OpError::Invalid { field, message: message.into() })
}

/// Checks that a namespace exists, and is neither frozen nor archived.
fn require_active(catalog: Catalog<'_>, name: &Namespace) -> Result<(), OpError> {
    let state = match namespace(catalog, name)?.state.status {
        NamespaceStatus::Active => return Ok(()),
        NamespaceStatus::Frozen => "frozen",
        NamespaceStatus::Archived => "archived",
    };
    conflict(format!("the namespace `{name}` is {state}: an owner can set its status to `active`"))
}

/// The change that keeps the author from undoing what the caller takes down. None if the
/// caller is the author, or somebody of no less authority took it down before.
fn take_down(context: CommitContext<'_>, skill: &Skill, takedown: Takedown) -> Option<PrivateChange> {
    let before = context.catalog.private.takedowns.authority(takedown);
    let by = context.access().takedown_authority(skill, takedown)?;
    (Some(by) > before).then_some(PrivateChange::TakenDown { takedown, by })
}

/// Refuses content that was taken down: another number must not bring it back.
fn require_not_taken_down(
    context: CommitContext<'_>,
    skill: &Skill,
    content: &Digest,
) -> Result<(), OpError> {
    for entry in skill.versions.iter().filter(|entry| entry.content_digest == *content) {
        let takedown = Takedown { skill: skill.id, version: Some(entry.id) };
        let Some(by) = context.catalog.private.takedowns.authority(takedown) else { continue };
        if context.access().lift_takedown(skill, takedown, by).is_err() {
            let (who, whom) = match by {
                Authority::Staff => ("the registry's staff", "a platform admin"),
                Authority::Namespace => ("an admin or owner of the namespace", "one of them"),
            };
            return conflict(format!(
                "{who} has yanked version {} of {}, which has the same content: change it, or ask {whom}",
                entry.version,
                skill.coordinate.scoped()
            ));
        }
    }
    Ok(())
}

/// Checks a reason or comment, if any: at most 2 KiB, no control characters, no secrets.
fn check_words(field: &'static str, text: Option<&str>) -> Result<(), OpError> {
    let Some(text) = text else { return Ok(()) };
    check_bytes(field, text, 2)?;
    refuse_secret(field, text)
}

/// Refuses a text with a certain secret: others would read it. The message does not show it.
fn refuse_secret(field: &'static str, text: &str) -> Result<(), OpError> {
    match secret_in_text(text) {
        Some(what) => invalid(field, format!("it has {what} in it: revoke that, and leave it out")),
        None => Ok(()),
    }
}

/// Checks a text: see [`text_rules::check_bytes`].
fn check_bytes(field: &'static str, text: &str, max: usize) -> Result<(), OpError> {
    text_rules::check_bytes(text, max).or_else(|why| invalid(field, why))
}

/// Checks a text: see [`text_rules::check_text`]. It has no secrets either.
fn check_text(field: &'static str, text: &str, max: usize) -> Result<(), OpError> {
    text_rules::check_text(text, max).or_else(|why| invalid(field, why))?;
    refuse_secret(field, text)
}

/// Checks a display name: see [`text_rules::check_title`]. It has no secrets either.
fn check_title(field: &'static str, text: &str, max: usize) -> Result<(), OpError> {
    text_rules::check_title(text, max).or_else(|why| invalid(field, why))?;
    refuse_secret(field, text)
}
