//! A namespace changes.

use super::{Decision, Moment, OpError, check_text, check_title};
use crate::access::{Access, Actor};
use crate::catalog::Catalog;
use crate::names::Namespace;
use crate::public::{NamespaceStatus, PublicRecord};

/// What is to be another; absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct UpdateNamespace {
    /// The name to show, 1 to 128 characters.
    pub display_name: Option<String>,
    /// What it is for, at most 2,048 characters.
    pub description: Option<String>,
    /// Whether plain members' publications wait for approval.
    pub review_required: Option<bool>,
    /// What may happen in it.
    pub status: Option<NamespaceStatus>,
}

/// Changes a namespace.
pub fn update_namespace(
    catalog: Catalog<'_>,
    actor: &Actor,
    (name, input): (&Namespace, &UpdateNamespace),
    _: Moment,
) -> Result<Decision<()>, OpError> {
    let access = Access::of(catalog, actor);
    let before = &super::namespace(catalog, name)?.state;
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
