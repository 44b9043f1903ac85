//! Changing a namespace.

use super::{CommitContext, Decision, OpError, check_text, check_title};
use crate::names::Namespace;
use crate::public::{NamespaceStatus, PublicRecord};

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

/// Changes a namespace. Does nothing if all values stay the same.
pub fn update_namespace(
    context: CommitContext<'_>,
    input: &UpdateNamespace,
) -> Result<Decision<()>, OpError> {
    let UpdateNamespace { namespace: name, changes: input } = input;
    let access = context.access();
    let before = &super::namespace(context.catalog, name)?.state;
    access.update_namespace(name)?;
    if input.status.is_some() {
        access.set_status(name)?;
    }
    let mut state = before.clone();
    if let Some(display_name) = &input.display_name {
        check_title("displayName", display_name, 128)?;
        state.display_name.clone_from(display_name);
    }
    if let Some(description) = &input.description {
        check_text("description", description, 2048)?;
        state.description.clone_from(description);
    }
    state.review_required = input.review_required.unwrap_or(state.review_required);
    state.status = input.status.unwrap_or(state.status);
    if name.is_global() && !state.review_required {
        let why = "in `global` everyone may publish, so it always reviews: `reviewRequired` stays true";
        return Err(OpError::Conflict(why.into()));
    }
    if state == *before {
        return Ok(Decision::nothing(()));
    }
    Ok(Decision::public(PublicRecord::namespace_updated(state), ()))
}
