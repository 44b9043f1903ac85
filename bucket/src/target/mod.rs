//! The address of a bucket, and the connection to its store.

mod agents;
mod connect;
mod credentials;
mod http;
mod url;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use generator::address::Document;
use generator::tree::{Claimant, TargetWriter, Tree, TreeTarget};
use object_store::ObjectStore;
use object_store::path::Path;

pub use self::agents::Agents;
pub use self::connect::{TargetError, connect};
use self::http::StoreStatus;
pub use self::url::{Scheme, TargetUrl};
use crate::claim::Claim;
use crate::keys::KeyStyle;
use crate::upload::Uploader;

/// How a bucket is reached and written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetSettings {
    /// The address.
    pub url: TargetUrl,
    /// The address of the store's API. None for that of the cloud.
    pub endpoint: Option<String>,
    /// The region. None for that of the environment.
    pub region: Option<String>,
    /// Which keys documents have.
    pub keys: KeyStyle,
    /// The time between two writes of one key.
    pub interval: Duration,
}

/// A bucket, and a prefix of all keys in it.
#[derive(Clone)]
pub struct Target {
    pub(crate) store: Arc<dyn ObjectStore>,
    prefix: Path,
    name: String,
    pub(crate) keys: KeyStyle,
    pub(crate) interval: Duration,
    status: Arc<StoreStatus>,
    /// Whether several servers may write it, one at a time.
    pub(crate) is_shared: bool,
    /// Told of each document that was put and may change, or was removed.
    pub(crate) on_change: Option<Arc<OnChange>>,
}

/// Called after the objects of a document were put or deleted.
pub type OnChange = dyn Fn(&Document) + Send + Sync;

impl fmt::Debug for Target {
    /// Its address alone: the store has credentials.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({})", self.identity())
    }
}

impl TreeTarget for Target {
    fn start(&self, tree: &Tree, claimant: Claimant, replaces: bool) -> io::Result<Box<dyn TargetWriter>> {
        let started = Uploader::start(self.clone(), tree.clone(), Claim { claimant, replaces });
        Ok(Box::new(started.map_err(io::Error::other)?))
    }
}

impl Target {
    /// A bucket in this store.
    pub fn of(store: Arc<dyn ObjectStore>, settings: &TargetSettings) -> Result<Self, TargetError> {
        Self::with_status(store, settings, Arc::default())
    }

    fn with_status(
        store: Arc<dyn ObjectStore>,
        settings: &TargetSettings,
        status: Arc<StoreStatus>,
    ) -> Result<Self, TargetError> {
        let TargetSettings { url, keys, interval, .. } = settings;
        let prefix = Path::parse(url.prefix()).map_err(|_| TargetError::Prefix)?;
        let (keys, interval) = (*keys, *interval);
        let (name, is_shared, on_change) = (url.to_string(), false, None);
        Ok(Self { store, prefix, name, keys, interval, status, is_shared, on_change })
    }

    /// The bucket, with a CDN in front of it that is told of changes. Immutable documents change only by their removal.
    #[must_use]
    pub fn with_on_change(self, on_change: Arc<OnChange>) -> Self {
        Self { on_change: Some(on_change), ..self }
    }

    /// The bucket, which other servers of the same registry may write too. A lease decides which one does.
    #[must_use]
    pub fn shared(self) -> Self {
        Self { is_shared: true, ..self }
    }

    /// The address, for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the manifest of this bucket is about.
    pub(crate) fn identity(&self) -> String {
        format!("{} {}", self.name, self.keys.as_str())
    }

    /// The prefix of all keys.
    pub(crate) fn prefix(&self) -> Option<&Path> {
        Some(&self.prefix).filter(|prefix| !prefix.as_ref().is_empty())
    }

    /// The place of a key.
    pub(crate) fn path(&self, key: &str) -> object_store::Result<Path> {
        let whole = match self.prefix() {
            Some(prefix) => format!("{prefix}/{key}"),
            None => key.to_owned(),
        };
        Ok(Path::parse(whole)?)
    }

    /// The key at a place. None if it is not below the prefix.
    pub(crate) fn key(&self, place: &Path) -> Option<String> {
        let place = place.as_ref();
        match self.prefix() {
            Some(prefix) => Some(place.strip_prefix(prefix.as_ref())?.strip_prefix('/')?.to_owned()),
            None => Some(place.to_owned()),
        }
    }

    /// The status of the store's last answer, if that was a failure.
    pub(crate) fn last_status(&self) -> Option<u16> {
        self.status.last_failure()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
impl Target {
    /// A bucket in memory. Several targets of one store are several processes.
    pub fn in_memory(store: &Arc<object_store::memory::InMemory>, url: &str, keys: KeyStyle) -> Self {
        let url = url.parse().unwrap();
        let settings = TargetSettings { url, endpoint: None, region: None, keys, interval: Duration::ZERO };
        Self::of(Arc::clone(store) as Arc<dyn ObjectStore>, &settings).unwrap()
    }
}
