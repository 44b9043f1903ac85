//! Creating a namespace.

use super::{CommitContext, Decision, OpError, check_text, check_title};
use crate::access::Creation;
use crate::names::Namespace;
use crate::private::{MemberRole, PrivateChange};
use crate::public::{NamespaceKind, NamespaceState, NamespaceStatus, PublicRecord};

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
    /// Who may create namespaces in this registry.
    pub creation: Creation,
}

/// Creates a namespace. The caller becomes its owner.
pub fn create_namespace(
    context: CommitContext<'_>,
    input: &CreateNamespace,
) -> Result<Decision<()>, OpError> {
    context.access().create_namespace(input.creation)?;
    let slug = input.slug.clone();
    if context.catalog.namespace(&slug).is_some() {
        return Err(OpError::Conflict(format!("the namespace `{slug}` exists already: choose another name")));
    }
    let owner = context.actor.handle.clone().ok_or_else(|| OpError::Invalid {
        field: "slug",
        message: "a namespace needs an owner: name the user who will own it".into(),
    })?;
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
    Ok(Decision { private: vec![joined], public: Some(PublicRecord::namespace_created(state)), reply: () })
}
