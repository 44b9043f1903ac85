//! Finds and opens the registries of private namespaces.

use std::sync::Arc;

use registry::names::{Handle, Namespace};

use super::FirstOwner;
use crate::app::App;
use crate::blocking::blocking;
use crate::expired_data;
use crate::problem::Problem;
use crate::tree_updates::gc_timer;

impl App {
    /// Opens the registries of all private namespaces.
    ///
    /// Errors: one cannot be opened.
    pub fn open_private_namespaces(&self) -> Result<(), String> {
        self.names_of_private_namespaces().iter().try_for_each(|name| {
            let opened =
                self.open_private(name).map_err(|why| format!("the private namespace {name}: {why}"));
            opened.map(drop)
        })
    }

    /// The private namespaces whose member a person is, by name.
    pub(crate) async fn private_namespaces_of(self: &Arc<Self>, handle: &Handle) -> Vec<Namespace> {
        let mut own = Vec::new();
        for name in self.names_of_private_namespaces() {
            let app = self.private_namespace(name.as_str()).await;
            let role = app.and_then(|app| app.registry.read(|catalog| catalog.role(&name, handle)));
            own.extend(role.map(|_| name));
        }
        own
    }

    fn names_of_private_namespaces(&self) -> Vec<Namespace> {
        self.registry
            .read(|catalog| catalog.private.private_namespaces().map(|(name, _)| name.clone()).collect())
    }

    /// The server of a private namespace. None if there is no such namespace, or it cannot be opened: nobody may
    /// learn the difference.
    pub(crate) async fn private_namespace(self: &Arc<Self>, name: &str) -> Option<Arc<Self>> {
        let name: Namespace = name.parse().ok()?;
        if let Some(app) = self.private.get(&name) {
            return Some(app);
        }
        self.registry.read(|catalog| catalog.private.first_owner_of_private(&name).cloned())?;
        // Another process has created it.
        let main = Arc::clone(self);
        let open = move || {
            main.open_private(&name).map_err(|why| {
                tracing::error!(%name, why, "cannot open a private namespace");
                Problem::nothing_here()
            })
        };
        blocking(open).await.ok()
    }

    /// Opens the registry of a private namespace that the main registry has noted, unless it is open.
    ///
    /// Errors: it cannot be opened.
    pub(crate) fn open_private(&self, name: &Namespace) -> Result<Arc<Self>, String> {
        self.private.get_or_open(name, || {
            let opener = self.settings.private.as_ref().ok_or("this server opens no private namespaces")?;
            let owner = self.registry.read(|catalog| {
                let handle = catalog.private.first_owner_of_private(name)?;
                let display_name = catalog.person(handle).display_name;
                Some(FirstOwner { handle: handle.clone(), display_name })
            });
            let owner = owner.ok_or("the registry does not know it")?;
            let app = Arc::new(opener.open(name, &owner)?.as_private_namespace_of(self, name.clone()));
            tokio::spawn(gc_timer::run(Arc::clone(&app.registry)));
            tokio::spawn(expired_data::remove_regularly(Arc::clone(&app)));
            Ok(app)
        })
    }
}
