//! The open registries of private namespaces.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use parking_lot::{Mutex, RwLock};
use registry::names::{Handle, Namespace};

/// The first owner of a private namespace.
#[derive(Debug, Clone)]
pub struct FirstOwner {
    /// The handle.
    pub handle: Handle,
    /// The display name.
    pub display_name: String,
}

/// Opens the registries of private namespaces, each with a server `A`.
pub trait OpenPrivate<A>: fmt::Debug + Send + Sync {
    /// Opens the registry of a private namespace, and starts what keeps its tree. A new one begins with its first
    /// owner.
    ///
    /// Errors: its journal, packages or folders cannot be used.
    fn open(&self, namespace: &Namespace, owner: &FirstOwner) -> Result<Arc<A>, String>;
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
        let _alone = self.opening.lock();
        if let Some(server) = self.get(name) {
            return Ok(server);
        }
        let server = open()?;
        self.open.write().insert(name.clone(), Arc::clone(&server));
        Ok(server)
    }

    /// Replaces each.
    pub(crate) fn replace(&self, by: impl Fn(&Namespace, &A) -> A) {
        for (name, server) in self.open.write().iter_mut() {
            *server = Arc::new(by(name, server));
        }
    }
}
