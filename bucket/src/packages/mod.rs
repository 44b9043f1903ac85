//! The packages of a registry in an object store.
//!
//! Stores have no locks, and most delete without a condition. So no object is ever renewed or
//! overwritten: each put or renewal of a package makes an object with a new name,
//! `blobs/<sha256>/<32 random digits>`. A removal names the objects that it found old. It cannot
//! remove one that somebody puts meanwhile, however late the store does what it was asked for.
//!
//! Ages are differences between times of the store: that of an object, and that of an object which is
//! put to see the time.

mod body;
mod hold;
mod listing;
mod owner;
mod removal;

use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bytes::Bytes;
use object_store::{Error as StoreError, ObjectStoreExt};
use registry::journal::{BlobHold, BlobReader, BlobSource, Blobs, JournalError, Removal, StoredBlob};
use registry::names::Digest;
use registry::with_causes;

use self::body::ObjectBody;
use crate::objects::{Objects, unique};
use crate::target::Target;
use crate::upload::UploadError;

pub use self::owner::Ownership;

/// The folder of the packages in the bucket.
const BLOBS: &str = "blobs";

/// The largest object that tries whether the store takes writes, in bytes.
const MAX_PROBE: u64 = 64 * 1024;

/// The time to read a package, whose size is not known before.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// Attempts to find an object of a package while another process renews it.
const ATTEMPTS: usize = 4;

/// Returns the link of the registry's first row, which no other registry has. None before that.
pub type Origin = Box<dyn Fn() -> Result<Option<Digest>, JournalError> + Send + Sync>;

/// The packages in a bucket. Any number of processes on any number of machines may use it.
pub struct BucketBlobs {
    objects: Arc<Objects>,
    origin: Origin,
    /// Whether the bucket is known to be this registry's.
    is_own: AtomicBool,
}

impl BucketBlobs {
    /// The packages in the bucket of `target`. Nothing is sent yet.
    pub fn of(target: Target, origin: Origin) -> io::Result<Self> {
        Ok(Self { objects: Arc::new(Objects::of(target)?), origin, is_own: AtomicBool::new(false) })
    }

    /// The address, for messages.
    pub fn name(&self) -> &str {
        self.objects.target().name()
    }

    fn failed(&self, why: &UploadError) -> JournalError {
        JournalError::Storage(format!("{}: {}", self.name(), with_causes(why)).into())
    }
}

/// The key of a new object of a package.
fn new_key(digest: Digest) -> String {
    format!("{BLOBS}/{digest}/{}", unique())
}

impl BlobSource for BucketBlobs {
    fn open_blob(&self, digest: Digest) -> Result<Option<Box<dyn BlobReader>>, JournalError> {
        let bytes = self.objects.run_within(READ_TIMEOUT, move |target| read(target, digest));
        let bytes = bytes.map_err(|why| self.failed(&why))?;
        Ok(bytes.map(|bytes| Box::new(ObjectBody::of(bytes)) as Box<dyn BlobReader>))
    }
}

/// The bytes of a package, or None if it is not stored.
async fn read(target: Target, digest: Digest) -> Result<Option<Bytes>, StoreError> {
    for _ in 0..ATTEMPTS {
        let Some(newest) = listing::of(&target, digest).await?.into_iter().next() else { return Ok(None) };
        match target.store.get(&newest.location).await {
            Ok(found) => return Ok(Some(found.bytes().await?)),
            // Somebody has renewed it: there is another object.
            Err(StoreError::NotFound { .. }) => {}
            Err(why) => return Err(why),
        }
    }
    Ok(None)
}

/// Copies an object of a package to a new one, and then deletes those that it replaces. Returns false
/// if no object has that size.
async fn renew(target: Target, digest: Digest, size: u64) -> Result<bool, StoreError> {
    for _ in 0..ATTEMPTS {
        let known = listing::of(&target, digest).await?;
        let Some(newest) = known.iter().find(|object| object.size == size) else { return Ok(false) };
        match target.store.copy(&newest.location, &target.path(&new_key(digest))?).await {
            Ok(()) => {}
            Err(StoreError::NotFound { .. }) => continue,
            Err(why) => return Err(why),
        }
        for replaced in known {
            // One that stays does no harm.
            let _ = target.store.delete(&replaced.location).await;
        }
        return Ok(true);
    }
    Ok(false)
}

impl Blobs for BucketBlobs {
    fn put_blob(&self, bytes: &[u8]) -> Result<Digest, JournalError> {
        self.claim()?;
        let (digest, bytes) = (Digest::of(bytes), Bytes::copy_from_slice(bytes));
        let put = self.objects.run(bytes.len() as u64, move |target| async move {
            target.store.put(&target.path(&new_key(digest))?, bytes.into()).await.map(drop)
        });
        put.map_err(|why| self.failed(&why))?;
        Ok(digest)
    }

    fn renew_blob(&self, digest: Digest, size: u64) -> Result<bool, JournalError> {
        self.claim()?;
        // The store copies, so no bytes are sent.
        self.objects.run(0, move |target| renew(target, digest, size)).map_err(|why| self.failed(&why))
    }

    /// Puts and deletes a small object: a bucket that is full refuses that, too.
    fn probe_storage(&self, size: u64) -> Result<(), JournalError> {
        let bytes = vec![0; usize::try_from(size.min(MAX_PROBE)).unwrap_or_default()];
        let probed = self.objects.run(size, move |target| async move {
            let place = target.path(&format!("probe/{}", unique()))?;
            target.store.put(&place, bytes.into()).await?;
            target.store.delete(&place).await
        });
        probed.map_err(|why| self.failed(&why))
    }

    fn visit_blobs(&self, visit: &mut dyn FnMut(StoredBlob)) -> Result<(), JournalError> {
        self.visit(visit)
    }

    fn remove_blobs(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        self.claim()?;
        self.remove(min_age, digests)
    }

    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        let held = hold::Hold::take(&self.objects).map_err(|why| self.failed(&why))?;
        Ok(BlobHold::new(held))
    }

    fn place(&self) -> &'static str {
        "The object store of the packages"
    }
}

impl fmt::Debug for BucketBlobs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketBlobs").field("objects", &self.objects).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
