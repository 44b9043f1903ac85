//! A namespace is made.

use super::{CommitContext, Decision, OpError, check_text, check_title};
use crate::access::Creation;
use crate::names::Namespace;
use crate::private::{MemberRole, PrivateChange};
use crate::public::{NamespaceKind, NamespaceState, NamespaceStatus, PublicRecord};

/// A new namespace.
#[derive(Debug, Clone)]
pub struct CreateNamespace {
    /// Its name, for ever.
    pub slug: Namespace,
    /// The name to show, 1 to 128 characters; the slug when absent.
    pub display_name: Option<String>,
    /// What it is for, at most 2,048 characters.
    pub description: String,
    /// Whether plain members' publications wait for approval.
    pub review_required: bool,
    /// Who may make namespaces here.
    pub creation: Creation,
}

/// Makes a namespace; the caller becomes its owner.
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
        message: "a namespace needs an owner: say for whom it is made".into(),
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
