//! Puts a batch into the bucket, in its order.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream;
use generator::address::{Document, Lifetime};
use generator::tree::Tree;
use object_store::path::Path;
use object_store::{GetOptions, ObjectStoreExt, PutOptions};
use registry::names::Digest;
use tokio::sync::Semaphore;

use super::batch::{Batch, Content, bytes_of};
use super::requests::{AwaitWithin, REQUESTS_AT_ONCE, normal_etag};
use super::step::Step;
use super::turn::Turn;
use crate::attributes;
use crate::error::UploadError;
use crate::keys::KeyStyle;
use crate::manifest::{Manifest, Object};
use crate::store::Target;

/// KiB of documents that are in memory at the same time. A larger one is alone.
const MEMORY: u32 = 64 * 1024;

/// The time for an answer, and the slowest rate of a large document, in bytes a second.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(60);
const MIN_RATE: u64 = 64 * 1024;

/// What is needed to write to a bucket.
#[derive(Clone, Copy)]
pub struct BucketWriter<'a> {
    pub target: &'a Target,
    pub manifest: &'a Manifest,
    pub tree: &'a Tree,
    /// Checked before each request that writes.
    pub turn: &'a Turn,
}

/// What was done of a batch.
#[derive(Debug, Default)]
pub struct PutOutcome {
    /// The steps that are done.
    pub done: Vec<Step>,
    /// Objects written and deleted.
    pub written: u64,
    pub deleted: u64,
    /// The keys of removed documents whose objects somebody else seems to have put. They stay.
    pub left: Vec<String>,
    /// The head, if it was put.
    pub head: Option<Bytes>,
    /// The documents whose put failed, and may still be done by the store.
    pub suspects: Vec<Document>,
    /// The first failure.
    pub failure: Option<UploadError>,
}

/// What was done of one step.
#[derive(Default)]
struct Done {
    objects: u64,
    left: Vec<String>,
    head: Option<Bytes>,
}

impl BucketWriter<'_> {
    /// Does the steps of a batch in their order. Those beside each other are done at the same time.
    /// After a failure, no further step is begun.
    pub async fn write(self, batch: &Batch) -> PutOutcome {
        let mut outcome = PutOutcome::default();
        let steps: Vec<_> = batch.iter().collect();
        let memory = Semaphore::new(MEMORY as usize);
        let has_failed = AtomicBool::new(false);
        for group in steps.chunk_by(|(a, _), (b, _)| a.is_beside(b)) {
            let (memory, has_failed) = (&memory, &has_failed);
            let mut tasks = Vec::with_capacity(group.len());
            for (step, content) in group.iter().copied() {
                tasks.push(async move {
                    if has_failed.load(Ordering::Relaxed) {
                        return (step, None);
                    }
                    let done = match content {
                        Content::Gone => self.delete(step.document()).await,
                        _ => self.put(step.document(), content, memory).await,
                    };
                    has_failed.fetch_or(done.is_err(), Ordering::Relaxed);
                    (step, Some(done))
                });
            }
            let mut running = stream::iter(tasks).buffer_unordered(REQUESTS_AT_ONCE);
            while let Some((step, done)) = running.next().await {
                if done.as_ref().is_some_and(|done| done.as_ref().is_ok_and(|done| done.objects > 0)) {
                    self.tell_cdn(step);
                }
                outcome.record(step, done);
            }
            if outcome.failure.is_some() {
                break;
            }
        }
        outcome
    }

    async fn put(
        self,
        document: &Document,
        content: &Content,
        memory: &Semaphore,
    ) -> Result<Done, UploadError> {
        let kib = match content {
            Content::Bytes(..) | Content::Gone => 0,
            // Most packages are small. The size of this one is known when it is open.
            Content::Package | Content::File(..) => {
                let size =
                    self.tree.open(document)?.map_or(Ok(0), |file| file.metadata().map(|meta| meta.len()))?;
                u32::try_from(size / 1024).unwrap_or(MEMORY).min(MEMORY)
            }
        };
        // Cannot fail: it is never closed.
        let _held = memory.acquire_many(kib).await;
        let Some((bytes, modified)) = bytes_of(content, self.tree, document)? else {
            return Err(UploadError::Vanished);
        };
        let sha256 = Digest::of(&bytes);
        let mut done = Done::default();
        for key in self.target.keys.of(document) {
            let known = self.manifest.object(&key)?;
            let object = Object {
                size: bytes.len() as u64,
                modified,
                sha256: Some(sha256),
                etag: known.as_ref().map(|known| known.etag.clone()).unwrap_or_default(),
            };
            if known.is_some_and(|known| known.holds(&bytes, sha256)) {
                self.manifest.set(&key, &object)?;
                continue;
            }
            match self.put_object(&key, document, bytes.clone()).await {
                Ok(etag) => self.manifest.set(&key, &Object { etag, ..object })?,
                Err(why) => {
                    // It may have the new bytes, or get them later.
                    self.manifest.set(&key, &object.forget_bytes())?;
                    return Err(why);
                }
            }
            done.objects += 1;
        }
        done.head = (*document == Document::Head).then_some(bytes);
        Ok(done)
    }

    /// A document was put or removed: a CDN has to forget it. Immutable ones only when they are removed.
    fn tell_cdn(self, step: &Step) {
        let document = step.document();
        if let Some(on_change) = &self.target.on_change
            && (step.is_removal() || document.lifetime() != Lifetime::Immutable)
        {
            on_change(document);
        }
    }

    /// Puts an object. Returns its entity tag.
    async fn put_object(self, key: &str, document: &Document, bytes: Bytes) -> Result<String, UploadError> {
        let options = PutOptions { attributes: attributes::of(document), ..PutOptions::default() };
        let time = ANSWER_TIMEOUT + Duration::from_secs(bytes.len() as u64 / MIN_RATE);
        let place = self.target.path(key)?;
        self.turn.check()?;
        let put = self.target.store.put_opts(&place, bytes.into(), options).await_within(time);
        Ok(normal_etag(put.await??.e_tag))
    }

    async fn delete(self, document: &Document) -> Result<Done, UploadError> {
        let mut done = Done::default();
        for key in self.target.keys.of(document) {
            if self.manifest.object(&key)?.is_none() {
                continue;
            }
            match self.delete_key(&key).await? {
                true => done.objects += 1,
                false => done.left.push(key),
            }
        }
        Ok(done)
    }

    /// Deletes an object that a registry has put. Returns whether it did: the object of somebody else stays.
    pub async fn delete_key(self, key: &str) -> Result<bool, UploadError> {
        let path = self.target.path(key)?;
        if !self.is_of_registry(key, &path).await? {
            return Ok(false);
        }
        self.turn.check()?;
        match self.target.store.delete(&path).await_within(ANSWER_TIMEOUT).await? {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => {}
            Err(why) => return Err(why.into()),
        }
        self.manifest.remove(key)?;
        Ok(true)
    }

    /// Whether this process has put an object, or its type and lifetime are those that a registry puts it with.
    async fn is_of_registry(self, key: &str, path: &Path) -> Result<bool, UploadError> {
        if self.manifest.object(key)?.is_some_and(|object| object.sha256.is_some()) {
            return Ok(true);
        }
        // The style with all keys: the settings may have had the other one before.
        let Some(document) = KeyStyle::Paths.document(key) else { return Ok(false) };
        let options = GetOptions { head: true, ..GetOptions::default() };
        let asked = self.target.store.get_opts(path, options).await_within(ANSWER_TIMEOUT);
        match asked.await? {
            Ok(found) => Ok(attributes::are_of(&found.attributes, &document)),
            Err(object_store::Error::NotFound { .. }) => Ok(true),
            Err(why) => Err(why.into()),
        }
    }
}

impl PutOutcome {
    fn record(&mut self, step: &Step, done: Option<Result<Done, UploadError>>) {
        match done {
            None => {}
            Some(Ok(done)) => {
                let count = if step.is_removal() { &mut self.deleted } else { &mut self.written };
                *count += done.objects;
                self.left.extend(done.left);
                self.head = done.head.or(self.head.take());
                self.done.push(step.clone());
            }
            Some(Err(why)) => {
                if why.is_open() {
                    self.suspects.push(step.document().clone());
                }
                self.failure.get_or_insert(why);
            }
        }
    }
}
