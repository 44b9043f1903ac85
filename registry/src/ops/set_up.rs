//! Writing the first row of a journal.

use super::{CommitContext, Decision, OpError};
use crate::names::{Digest, Handle, Namespace};
use crate::private::{IssuedToken, PlatformRole, PrivateChange, Scopes, TokenPrefix};
use crate::public::{NamespaceKind, NamespaceState, NamespaceStatus, PublicChange};

/// The first admin and the first token.
#[derive(Debug, Clone)]
pub struct SetUp {
    /// The admin's handle.
    pub admin: Handle,
    /// The digest of the admin's token.
    pub digest: Digest,
    /// The first characters of the token.
    pub prefix: TokenPrefix,
}

/// Creates the namespace `global`, an admin and the admin's token in an empty registry.
/// Replies whether the registry was empty.
pub fn set_up(context: CommitContext<'_>, input: &SetUp) -> Result<Decision<bool>, OpError> {
    if context.catalog.namespace(&Namespace::global()).is_some() {
        return Ok(Decision::nothing(false));
    }
    let handle = input.admin.clone();
    let private = vec![
        PrivateChange::UserAdded {
            handle: handle.clone(),
            display_name: "Admin".into(),
            role: PlatformRole::Admin,
        },
        PrivateChange::TokenIssued(IssuedToken {
            handle,
            name: "first start".into(),
            prefix: input.prefix.clone(),
            digest: input.digest,
            scopes: Scopes::all(),
            expires_at: None,
        }),
    ];
    let global = NamespaceState {
        slug: Namespace::global(),
        display_name: "Global".into(),
        description: "Skills for everyone.".into(),
        kind: NamespaceKind::Global,
        status: NamespaceStatus::Active,
        review_required: true,
    };
    Ok(Decision { private, public: Some(PublicChange::NamespaceCreated(global).into()), reply: true })
}
