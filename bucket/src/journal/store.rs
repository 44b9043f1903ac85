//! Requests to the bucket of a journal.

use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{Error as StoreError, ObjectStore, ObjectStoreExt, PutMode};
use registry::journal::JournalError;
use registry::with_causes;

use crate::claim::{is_taken, probe};
use crate::objects::Objects;
use crate::target::Target;
use crate::upload::UploadError;

/// Objects that are asked for at the same time.
const REQUESTS_AT_ONCE: usize = 32;

/// The time to read many objects, or a listing, or a segment, whose size is not known before.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// The bucket of a journal.
#[derive(Debug)]
pub(super) struct Store {
    objects: Objects,
}

impl Store {
    pub(super) fn of(target: Target) -> std::io::Result<Self> {
        Ok(Self { objects: Objects::of(target)? })
    }

    /// The address, for messages.
    pub(super) fn name(&self) -> &str {
        self.objects.target().name()
    }

    /// Refuses a store that overwrites an object that must be created.
    pub(super) fn probe(&self) -> Result<(), JournalError> {
        let target = self.objects.target().clone();
        let (done, outcome) = std::sync::mpsc::sync_channel(1);
        self.objects.handle().spawn(async move {
            // Nobody waits any more if it cannot be sent.
            let _ = done.send(tokio::time::timeout(READ_TIMEOUT, probe(&target)).await);
        });
        let timeout = || UploadError::Timeout(READ_TIMEOUT.as_secs());
        let probed = outcome.recv().map_err(|_| timeout()).and_then(|done| done.map_err(|_| timeout())?);
        probed.map_err(|why| self.failed(&why))
    }

    /// An object, or None if it is not there.
    pub(super) fn get(&self, key: &str) -> Result<Option<Bytes>, JournalError> {
        let key = key.to_owned();
        self.run(self.objects.run(0, move |target| async move { get(&target, &key).await }))
    }

    /// An object that may be large.
    pub(super) fn get_large(&self, key: &str) -> Result<Option<Bytes>, JournalError> {
        let key = key.to_owned();
        self.run(self.objects.run_within(READ_TIMEOUT, move |target| async move { get(&target, &key).await }))
    }

    /// Objects, in the order of `keys`.
    pub(super) fn get_all(&self, keys: Vec<String>) -> Result<Vec<Option<Bytes>>, JournalError> {
        self.run(self.objects.run_within(READ_TIMEOUT, move |target| async move {
            let requests = stream::iter(keys).map(|key| {
                let target = &target;
                async move { get(target, &key).await }
            });
            requests.buffered(REQUESTS_AT_ONCE).try_collect().await
        }))
    }

    /// Creates an object. Returns false if it is there already.
    pub(super) fn create(&self, key: &str, bytes: Vec<u8>) -> Result<bool, JournalError> {
        let key = key.to_owned();
        let created = self.objects.run(bytes.len() as u64, move |target| async move {
            target.store.put_opts(&target.path(&key)?, bytes.into(), PutMode::Create.into()).await
        });
        match created {
            Ok(_) => Ok(true),
            Err(UploadError::Store(why)) if is_taken(&why) => Ok(false),
            Err(why) => Err(self.failed(&why)),
        }
    }

    /// The names in a folder after `after`, in order.
    pub(super) fn list(&self, folder: &str, after: Option<&str>) -> Result<Vec<String>, JournalError> {
        let (folder, after) = (folder.to_owned(), after.map(|after| format!("{folder}/{after}")));
        let mut names: Vec<String> =
            self.run(self.objects.run_within(READ_TIMEOUT, move |target| async move {
                let place = target.path(&folder)?;
                let listing = match after {
                    Some(after) => target.store.list_with_offset(Some(&place), &target.path(&after)?),
                    None => target.store.list(Some(&place)),
                };
                let name = |key: String| key.strip_prefix(&folder)?.strip_prefix('/').map(str::to_owned);
                let names = listing.map_ok(|object| target.key(&object.location).and_then(name));
                names.try_filter_map(|name| async { Ok(name) }).try_collect().await
            }))?;
        names.sort_unstable();
        Ok(names)
    }

    fn run<T>(&self, outcome: Result<T, UploadError>) -> Result<T, JournalError> {
        outcome.map_err(|why| self.failed(&why))
    }

    fn failed(&self, why: &UploadError) -> JournalError {
        JournalError::Storage(format!("{}: {}", self.name(), with_causes(why)).into())
    }

    /// An object of the bucket is not what it should be.
    pub(super) fn damaged(&self, why: &str) -> JournalError {
        JournalError::Damaged(format!("{}: {why}", self.name()).into())
    }
}

async fn get(target: &Target, key: &str) -> Result<Option<Bytes>, StoreError> {
    match target.store.get(&target.path(key)?).await {
        Ok(found) => Ok(Some(found.bytes().await?)),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(why) => Err(why),
    }
}
