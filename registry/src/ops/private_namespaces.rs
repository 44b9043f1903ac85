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
    /// Whether its own registry has a history.
    pub has_history: bool,
}

/// Notes that there is a private namespace, unless it is noted for the same owner and has no history yet.
pub fn create(context: CommitContext<'_>, input: &CreatePrivateNamespace) -> Result<Decision<()>, OpError> {
    let CreatePrivateNamespace { namespace, owner, texts, has_history } = input.clone();
    context.access().create_private_namespace()?;
    if namespace.is_global() {
        return conflict("`global` is for everyone: choose another name");
    }
    enabled_user(context.catalog, &owner)?;
    texts.check()?;
    match context.catalog.private.first_owner_of_private(&namespace) {
        None => Ok(Decision::private(PrivateChange::PrivateNamespaceCreated { namespace, owner }, ())),
        // A creation that stopped half way goes on.
        Some(noted) if *noted == owner && !has_history => Ok(Decision::nothing(())),
        Some(_) => {
            conflict(format!("the private namespace `{namespace}` exists already: choose another name"))
        }
    }
}
