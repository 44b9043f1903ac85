//! Creating and changing a namespace.

use super::{CommitContext, Decision, OpError, check_text, check_title, conflict, invalid};
use crate::access::NamespaceCreation;
use crate::catalog::Catalog;
use crate::names::{Handle, Namespace, reserved_like};
use crate::private::{MemberRole, PrivateChange};
use crate::public::{NamespaceKind, NamespaceState, NamespaceStatus, PublicChange};
use crate::quotas::Quotas;

/// A new namespace.
#[derive(Debug, Clone)]
pub struct CreateNamespace {
    /// The name, which never changes.
    pub slug: Namespace,
    /// The display name, 1 to 128 characters. Default: the slug.
    pub display_name: Option<String>,
    /// The description, at most 2,048 characters.
    pub description: String,
    /// Whether versions published by plain members wait for review.
    pub review_required: bool,
    /// Whether every user may create namespaces in this registry, or platform admins alone.
    pub creation: NamespaceCreation,
    /// What the caller may use.
    pub quotas: Quotas,
}

/// Checks that a namespace exists and accepts packages.
pub fn accepts_packages(catalog: Catalog<'_>, name: &Namespace) -> Result<(), OpError> {
    super::require_active(catalog, name)
}

/// Creates a namespace. The caller becomes its owner.
pub fn create(context: CommitContext<'_>, input: &CreateNamespace) -> Result<Decision<()>, OpError> {
    context.access().create_namespace(input.creation)?;
    let slug = input.slug.clone();
    if context.catalog.namespace(&slug).is_some() {
        return conflict(format!("the namespace `{slug}` exists already: choose another name"));
    }
    let owner = match &context.actor.handle {
        Some(handle) => handle.clone(),
        None => return invalid("slug", "a namespace needs an owner: name the user who will own it"),
    };
    super::quota_checks::check_namespaces(context, &owner, input.quotas)?;
    if let Some(known) = looks_like(context.catalog, &slug, &owner) {
        context.access().create_look_alike(&slug, &known)?;
    }
    let display_name = input.display_name.clone().unwrap_or_else(|| slug.to_string());
    check_title("displayName", &display_name, 128)?;
    check_text("description", &input.description, 2048)?;
    let state = NamespaceState {
        slug: slug.clone(),
        display_name,
        description: input.description.clone(),
        kind: NamespaceKind::Team,
        status: NamespaceStatus::Active,
        review_required: input.review_required,
    };
    let joined = PrivateChange::MemberAdded { namespace: slug, handle: owner, role: MemberRole::Owner };
    Ok(Decision {
        private: vec![joined],
        public: Some(PublicChange::NamespaceCreated(state).into()),
        reply: (),
    })
}

/// The reserved name, or else the namespace in use, that a new name looks like. Owners
/// may use variants of their own names.
fn looks_like(catalog: Catalog<'_>, name: &Namespace, owner: &Handle) -> Option<String> {
    if let Some(reserved) = reserved_like(name.as_str()) {
        return Some(format!("the reserved name `{reserved}`"));
    }
    let is_own = |other: &&Namespace| catalog.role(other, owner) == Some(MemberRole::Owner);
    let known = catalog.public.namespaces_like(name.as_str()).find(|other| !is_own(other))?;
    Some(format!("`{known}`, which is in use"))
}

/// A namespace and its changes.
#[derive(Debug, Clone)]
pub struct UpdateNamespace {
    /// The namespace.
    pub namespace: Namespace,
    /// The new values.
    pub changes: NamespaceChanges,
}

/// New values for a namespace; absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct NamespaceChanges {
    /// The display name, 1 to 128 characters.
    pub display_name: Option<String>,
    /// The description, at most 2,048 characters.
    pub description: Option<String>,
    /// Whether versions published by plain members wait for review.
    pub review_required: Option<bool>,
    /// The status.
    pub status: Option<NamespaceStatus>,
}

impl NamespaceChanges {
    /// Checks the texts.
    pub(super) fn check(&self) -> Result<(), OpError> {
        if let Some(display_name) = &self.display_name {
            check_title("displayName", display_name, 128)?;
        }
        self.description.as_ref().map_or(Ok(()), |description| check_text("description", description, 2048))
    }
}

/// Changes a namespace. Does nothing if all values stay the same.
pub fn update(context: CommitContext<'_>, input: &UpdateNamespace) -> Result<Decision<()>, OpError> {
    let UpdateNamespace { namespace: name, changes: input } = input;
    let access = context.access();
    let before = &super::namespace(context.catalog, name)?.state;
    access.update_namespace(name)?;
    if input.status.is_some() {
        access.set_status(name)?;
    }
    let mut state = before.clone();
    input.check()?;
    if let Some(display_name) = &input.display_name {
        state.display_name.clone_from(display_name);
    }
    if let Some(description) = &input.description {
        state.description.clone_from(description);
    }
    state.review_required = input.review_required.unwrap_or(state.review_required);
    state.status = input.status.unwrap_or(state.status);
    if name.is_global() && !state.review_required {
        let why = "in `global` everyone may publish, so it always reviews: `reviewRequired` stays true";
        return conflict(why);
    }
    if state == *before {
        return Ok(Decision::nothing(()));
    }
    Ok(Decision::public(PublicChange::NamespaceUpdated(state), ()))
}
