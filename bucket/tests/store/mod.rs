//! A store in memory that fails as it is told, and checks after each request that what it holds is
//! closed.

mod followed;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_trait::async_trait;
use bucket::KeyStyle;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use generator::settings::TreeSettings;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};
use parking_lot::Mutex;

use crate::world::references::references;
pub use followed::{Followed, claim, engine, expected, settings, tree_settings};

/// Documents that pages link back to. The first upload puts them after those pages, and the head after
/// them.
const LAST: [&str; 2] = ["api/v1/openapi.json", "namespaces/index.html"];

/// What a store does with a put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It refuses it.
    Refused,
    /// It does it, and the answer is lost.
    Unanswered,
}

/// Which puts and deletes fail: by their number, from 1.
pub type Faults = Box<dyn Fn(u64) -> Option<Fault> + Send + Sync>;

/// See the module.
pub struct CheckedStore {
    pub inner: InMemory,
    settings: TreeSettings,
    faults: Mutex<Faults>,
    requests: AtomicU64,
    /// Whether conditional puts overwrite.
    pub overwrites: AtomicBool,
    /// What each object refers to, by its key.
    referred: Mutex<BTreeMap<String, BTreeSet<String>>>,
    /// The first violation.
    pub violation: Mutex<Option<String>>,
    /// Keys that were put, in order.
    pub log: Mutex<Vec<String>>,
}

impl CheckedStore {
    pub fn new(settings: &TreeSettings) -> Arc<Self> {
        Arc::new(Self {
            inner: InMemory::new(),
            settings: settings.clone(),
            faults: Mutex::new(Box::new(|_| None)),
            requests: AtomicU64::new(0),
            overwrites: AtomicBool::new(false),
            referred: Mutex::default(),
            violation: Mutex::default(),
            log: Mutex::default(),
        })
    }

    /// From now on, these requests fail. Their numbers begin again.
    pub fn fail(&self, faults: impl Fn(u64) -> Option<Fault> + Send + Sync + 'static) {
        *self.faults.lock() = Box::new(faults);
        self.requests.store(0, Ordering::SeqCst);
    }

    /// Puts and deletes since the last call of [`Self::fail`].
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::SeqCst)
    }

    fn next_fault(&self) -> Option<Fault> {
        let number = self.requests.fetch_add(1, Ordering::SeqCst) + 1;
        (self.faults.lock())(number)
    }

    /// Checks that what an object refers to exists, or that nothing refers to a removed one.
    fn check(&self, key: &str, bytes: Option<&Bytes>) {
        let mut referred = self.referred.lock();
        let violation = match (bytes, KeyStyle::Paths.document(key)) {
            (_, None) => None,
            (Some(bytes), Some(document)) => {
                let to = references(&document, bytes, &self.settings).into_iter().map(|to| to.file);
                let to: BTreeSet<_> = to.collect();
                let is_first = !referred.contains_key("api/v1/mirror/head.json");
                let is_missing = |to: &&String| {
                    *to != key && !referred.contains_key(*to) && !(is_first && LAST.contains(&to.as_str()))
                };
                let missing = to.iter().find(is_missing).cloned();
                referred.insert(key.to_owned(), to);
                missing.map(|missing| format!("{key} refers to {missing}, which does not exist"))
            }
            (None, Some(_)) => {
                referred.remove(key);
                let from = referred.iter().find(|(_, to)| to.contains(key));
                from.map(|(from, _)| format!("{key} was deleted, and {from} refers to it"))
            }
        };
        if let Some(violation) = violation {
            self.violation.lock().get_or_insert(violation);
        }
    }

    /// All objects but those of the writer itself.
    pub async fn objects(&self) -> BTreeMap<String, Bytes> {
        let mut objects = BTreeMap::new();
        let mut listed = self.inner.list(None);
        while let Some(object) = listed.next().await {
            let place = object.unwrap().location;
            if !place.as_ref().starts_with(".skillmirror/") {
                let found = self.inner.get_opts(&place, GetOptions::default()).await.unwrap();
                objects.insert(place.to_string(), found.bytes().await.unwrap());
            }
        }
        objects
    }
}

fn failed() -> Error {
    Error::Generic { store: "test", source: "it fails".into() }
}

impl fmt::Debug for CheckedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckedStore")
    }
}

impl fmt::Display for CheckedStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CheckedStore")
    }
}

#[async_trait]
impl ObjectStore for CheckedStore {
    async fn put_opts(
        &self,
        place: &Path,
        payload: PutPayload,
        mut options: PutOptions,
    ) -> Result<PutResult> {
        if self.overwrites.load(Ordering::SeqCst) {
            options.mode = object_store::PutMode::Overwrite;
        }
        let fault = self.next_fault();
        if fault == Some(Fault::Refused) {
            return Err(failed());
        }
        // Lets other requests of the same rank begin.
        tokio::task::yield_now().await;
        let bytes = Bytes::from(payload.clone());
        let done = self.inner.put_opts(place, payload, options).await?;
        self.check(place.as_ref(), Some(&bytes));
        self.log.lock().push(place.to_string());
        if fault == Some(Fault::Unanswered) { Err(failed()) } else { Ok(done) }
    }

    async fn put_multipart_opts(
        &self,
        place: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(place, options).await
    }

    async fn get_opts(&self, place: &Path, options: GetOptions) -> Result<GetResult> {
        self.inner.get_opts(place, options).await
    }

    fn delete_stream(&self, places: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        let mut all = Vec::new();
        let mut places = places;
        // Made of ready values only.
        while let Some(Some(place)) = futures_util::FutureExt::now_or_never(places.next()) {
            all.push(place);
        }
        let mut done = Vec::new();
        for place in all {
            let place = place.unwrap();
            let fault = self.next_fault();
            if fault == Some(Fault::Refused) {
                done.push(Err(failed()));
                continue;
            }
            let one = futures_util::stream::iter([Ok(place.clone())]).boxed();
            let mut deleted = self.inner.delete_stream(one);
            let deleted = futures_util::FutureExt::now_or_never(deleted.next()).flatten().unwrap();
            self.check(place.as_ref(), None);
            done.push(if fault == Some(Fault::Unanswered) { Err(failed()) } else { deleted });
        }
        futures_util::stream::iter(done).boxed()
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}
