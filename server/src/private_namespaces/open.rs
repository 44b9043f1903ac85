//! The open registries of private namespaces.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use registry::names::{Handle, Namespace};
use registry::ops::namespaces::NamespaceChanges;

/// How the history of a private namespace begins.
#[derive(Debug, Clone)]
pub struct Beginning {
    /// The first owner.
    pub owner: Handle,
    /// The display name of the owner.
    pub owner_name: String,
    /// What is said of the namespace.
    pub texts: NamespaceChanges,
}

/// Opens the registries of private namespaces, each with a server `A`.
pub trait OpenPrivate<A>: fmt::Debug + Send + Sync {
    /// Opens the registry of a private namespace, and starts what keeps its tree. Begins its history if there is a
    /// `beginning` and no history.
    ///
    /// Errors: its journal, packages or folders cannot be used, or it has no history.
    fn open(&self, namespace: &Namespace, beginning: Option<&Beginning>) -> Result<Arc<A>, String>;
}

/// The servers `A` of the private namespaces that are open.
pub struct OpenRegistries<A> {
    open: RwLock<BTreeMap<Namespace, Arc<A>>>,
    /// Held while one is opened, so that none is opened twice.
    opening: Mutex<()>,
}

impl<A> Default for OpenRegistries<A> {
    fn default() -> Self {
        Self { open: RwLock::default(), opening: Mutex::default() }
    }
}

impl<A> OpenRegistries<A> {
    /// All with their names.
    pub(crate) fn all(&self) -> Vec<(Namespace, Arc<A>)> {
        self.open.read().iter().map(|(name, server)| (name.clone(), Arc::clone(server))).collect()
    }

    /// The one of a namespace, if it is open.
    pub(crate) fn get(&self, name: &Namespace) -> Option<Arc<A>> {
        self.open.read().get(name).cloned()
    }

    /// The one of a namespace, which is opened if it is not.
    pub(crate) fn get_or_open(
        &self,
        name: &Namespace,
        open: impl FnOnce() -> Result<Arc<A>, String>,
    ) -> Result<Arc<A>, String> {
        let _guard = self.opening.lock();
        if let Some(server) = self.get(name) {
            return Ok(server);
        }
        let server = open()?;
        self.open.write().insert(name.clone(), Arc::clone(&server));
        Ok(server)
    }

    /// Replaces each.
    pub(crate) fn replace(&self, by: impl Fn(&Namespace, &A) -> A) {
        let _guard = self.opening.lock();
        for (name, server) in self.open.write().iter_mut() {
            *server = Arc::new(by(name, server));
        }
    }
}
