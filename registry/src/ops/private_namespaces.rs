//! Creating a private namespace. Its own registry has everything else about it.

use super::namespaces::NamespaceChanges;
use super::{CommitContext, Decision, OpError, conflict, enabled_user};
use crate::names::{Handle, Namespace};
use crate::private::PrivateChange;

/// A new private namespace.
#[derive(Debug, Clone)]
pub struct CreatePrivateNamespace {
    /// The name, which never changes. A public namespace may have the same name.
    pub namespace: Namespace,
    /// Its first owner.
    pub owner: Handle,
    /// The texts that its own registry begins with.
    pub texts: NamespaceChanges,
}

/// Notes that there is a private namespace. Its own history has begun before.
pub fn create(context: CommitContext<'_>, input: &CreatePrivateNamespace) -> Result<Decision<()>, OpError> {
    let CreatePrivateNamespace { namespace, owner, texts } = input.clone();
    context.access().create_private_namespace()?;
    if namespace.is_global() {
        return conflict("`global` is for everyone: choose another name");
    }
    enabled_user(context.catalog, &owner)?;
    texts.check()?;
    if context.catalog.private.first_owner_of_private(&namespace).is_some() {
        return conflict(format!("the private namespace `{namespace}` exists already: choose another name"));
    }
    Ok(Decision::private(PrivateChange::PrivateNamespaceCreated { namespace, owner }, ()))
}
