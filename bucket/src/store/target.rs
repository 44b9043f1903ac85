//! A bucket: where its objects are, and what happens after one of them changes.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use generator::address::Document;
use object_store::ObjectStore;
use object_store::path::Path;

use super::http::StoreStatus;
use super::url::TargetUrl;
use crate::keys::KeyStyle;
use crate::turn_source::TurnSource;

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
    /// Decides which of several servers writes it. None: there is one.
    pub(crate) turns: Option<Arc<dyn TurnSource>>,
    /// Called for each document that was put and may change, or was removed.
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

impl Target {
    /// A bucket in this store.
    ///
    /// Errors: the prefix cannot begin a key.
    pub fn of(
        store: Arc<dyn ObjectStore>,
        settings: &TargetSettings,
    ) -> Result<Self, object_store::path::Error> {
        Self::with_status(store, settings, Arc::default())
    }

    pub(super) fn with_status(
        store: Arc<dyn ObjectStore>,
        settings: &TargetSettings,
        status: Arc<StoreStatus>,
    ) -> Result<Self, object_store::path::Error> {
        let TargetSettings { url, keys, interval, .. } = settings;
        let prefix = Path::parse(url.prefix())?;
        let (keys, interval) = (*keys, *interval);
        let (name, turns, on_change) = (url.to_string(), None, None);
        Ok(Self { store, prefix, name, keys, interval, status, turns, on_change })
    }

    /// The bucket, with a CDN in front of it that gets the changed documents. Immutable ones change only by their removal.
    #[must_use]
    pub fn with_on_change(self, on_change: Arc<OnChange>) -> Self {
        Self { on_change: Some(on_change), ..self }
    }

    /// The bucket, which other servers of the same registry may write too, when it is their turn.
    #[must_use]
    pub fn with_turns(self, turns: Arc<dyn TurnSource>) -> Self {
        Self { turns: Some(turns), ..self }
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
