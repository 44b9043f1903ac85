//! Opens the registries of private namespaces: those that the journal notes at the start, and every second those that
//! are noted since, or could not be opened. No request opens one: it would tell a stranger that there is one.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use registry::names::{Handle, Namespace};
use registry::ops::private_namespaces::CreatePrivateNamespace;
use tokio::sync::watch;

use super::Beginning;
use crate::app::App;
use crate::expired_data;
use crate::tree_updates::gc_timer;

/// How often the journal is asked for new private namespaces.
const INTERVAL: Duration = Duration::from_secs(1);

/// The time until one that could not be opened is tried again.
const RETRY: Duration = Duration::from_secs(30);

/// Opens what is not open, for as long as it is polled. `apps` has the server with the current settings.
pub(crate) async fn keep_open(apps: watch::Receiver<Arc<App>>) {
    let mut failed: BTreeMap<Namespace, Instant> = BTreeMap::new();
    loop {
        tokio::time::sleep(INTERVAL).await;
        let app = Arc::clone(&apps.borrow());
        failed.retain(|_, at| at.elapsed() < RETRY);
        for name in app.names_of_private_namespaces() {
            if app.private.get(&name).is_some() || failed.contains_key(&name) {
                continue;
            }
            let (main, opened) = (Arc::clone(&app), name.clone());
            if !tokio::task::spawn_blocking(move || main.try_to_open(&opened)).await.unwrap_or(false) {
                failed.insert(name, Instant::now());
            }
        }
    }
}

impl App {
    /// Opens the registries of all private namespaces. One that cannot be opened is logged, and tried again while the
    /// server runs.
    pub fn open_private_namespaces(&self) {
        for name in self.names_of_private_namespaces() {
            self.try_to_open(&name);
        }
    }

    fn try_to_open(&self, name: &Namespace) -> bool {
        let opened = self.open_private(name);
        opened.inspect_err(|why| tracing::error!(%name, why, "cannot open a private namespace")).is_ok()
    }

    /// The private namespaces whose member a person is, by name.
    pub(crate) fn private_namespaces_of(&self, handle: &Handle) -> Vec<Namespace> {
        let is_member = |(name, app): &(Namespace, Arc<Self>)| {
            app.registry.read(|catalog| catalog.role(name, handle).is_some())
        };
        self.private.all().into_iter().filter(is_member).map(|(name, _)| name).collect()
    }

    /// How many private namespaces are not open, for example because their disk is away.
    pub(crate) fn unopened_private_namespaces(&self) -> usize {
        let names = self.names_of_private_namespaces();
        names.iter().filter(|name| self.private.get(name).is_none()).count()
    }

    fn names_of_private_namespaces(&self) -> Vec<Namespace> {
        self.registry
            .read(|catalog| catalog.private.private_namespaces().map(|(name, _)| name.clone()).collect())
    }

    /// The server of a private namespace that is open.
    pub(crate) fn private_namespace(&self, name: &str) -> Option<Arc<Self>> {
        self.private.get(&name.parse().ok()?)
    }

    /// Opens the registry of a private namespace that the main registry has noted, unless it is open.
    ///
    /// Errors: it cannot be opened, or has no history.
    fn open_private(&self, name: &Namespace) -> Result<Arc<Self>, String> {
        self.private.get_or_open(name, || self.start_private(name, None))
    }

    /// Opens the registry of a new private namespace, and begins its history.
    ///
    /// Errors: it cannot be opened.
    pub(crate) fn begin_private(&self, new: &CreatePrivateNamespace) -> Result<Arc<Self>, String> {
        let CreatePrivateNamespace { namespace, owner, texts } = new.clone();
        let owner_name = self.registry.read(|catalog| catalog.person(&owner).display_name);
        let beginning = Beginning { owner, owner_name, texts };
        self.private.get_or_open(&namespace, || self.start_private(&namespace, Some(&beginning)))
    }

    fn start_private(&self, name: &Namespace, beginning: Option<&Beginning>) -> Result<Arc<Self>, String> {
        let opener = self.settings.private.as_ref().ok_or("this server opens no private namespaces")?;
        let app = Arc::new(opener.open(name, beginning)?.as_private_namespace_of(self, name.clone()));
        tokio::spawn(gc_timer::run(Arc::clone(&app.registry)));
        tokio::spawn(expired_data::remove_regularly(Arc::clone(&app)));
        Ok(app)
    }
}
