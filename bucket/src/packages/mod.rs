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
mod listing;
mod removal;

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bytes::Bytes;
use object_store::{Error as StoreError, ObjectStoreExt};
use registry::journal::{BlobHold, BlobReader, BlobSource, Blobs, JournalError, Removal, StoredBlob};
use registry::names::Digest;
use registry::with_causes;

use self::body::ObjectBody;
use self::listing::new_key;
use crate::error::UploadError;
use crate::objects::{Objects, unique};
use crate::owner::{create_owner, read_owner};
use crate::store::Target;

/// The object that names the owner, by the link of its first row. A removal deletes each package that the registry does
/// not name, so it must not meet those of another one.
const OWNER: &str = "packages-of";

/// The largest object that tries whether the store takes writes, in bytes.
const MAX_PROBE: u64 = 64 * 1024;

/// The time for the listing of a whole bucket. A request lists a thousand objects.
const LIST_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// The time for a removal.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(30);

/// The time to read a package, whose size is not known before.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// Attempts to find an object of a package while another process renews it.
const ATTEMPTS: usize = 4;

/// Returns the link of the registry's first row, which no other registry has. None before that.
pub type Origin = Box<dyn Fn() -> Result<Option<Digest>, JournalError> + Send + Sync>;

/// Whose packages a bucket has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ownership {
    /// Nobody's yet.
    Unclaimed,
    /// This registry's.
    Own,
    /// Another registry's, or a registry's whose journal is lost.
    Foreign,
}

/// The packages in a bucket. Any number of processes on any number of machines may use it.
pub struct BucketBlobs {
    objects: Objects,
    origin: Origin,
    /// Whether the bucket is known to be this registry's.
    is_own: AtomicBool,
}

impl BucketBlobs {
    /// The packages in the bucket of `target`. Nothing is sent yet.
    pub fn of(target: Target, origin: Origin) -> io::Result<Self> {
        Ok(Self { objects: Objects::of(target)?, origin, is_own: AtomicBool::new(false) })
    }

    /// The address, for messages.
    pub fn name(&self) -> &str {
        self.objects.target().name()
    }

    /// Looks whose packages the bucket has. Changes nothing.
    pub fn ownership(&self) -> Result<Ownership, JournalError> {
        let origin = (self.origin)()?;
        let owner = self.objects.run(0, |target| async move { read_owner(&target, OWNER).await });
        Ok(match owner.map_err(|why| self.failed(&why))? {
            None => Ownership::Unclaimed,
            Some(text) => ownership(&text, origin),
        })
    }

    /// Takes the bucket, if nobody has it. Before the first row of the registry this does nothing.
    ///
    /// Errors: the bucket has the packages of another registry, or the store fails.
    pub fn claim(&self) -> Result<(), JournalError> {
        if self.is_own.load(Ordering::Relaxed) {
            return Ok(());
        }
        let Some(origin) = (self.origin)()? else { return Ok(()) };
        let own = origin.to_string();
        let found = self.objects.run(0, |target| async move { create_owner(&target, OWNER, &own).await });
        let found = found.map_err(|why| self.failed(&why))?;
        if found.is_some_and(|text| ownership(&text, Some(origin)) == Ownership::Foreign) {
            return Err(JournalError::Storage(self.refusal().into()));
        }
        self.is_own.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Says that the bucket is another registry's, and what to do.
    pub fn refusal(&self) -> String {
        format!(
            "{} has the packages of another registry: correct storage.packages, or name another prefix",
            self.name()
        )
    }

    fn failed(&self, why: &UploadError) -> JournalError {
        JournalError::Storage(format!("{}: {}", self.name(), with_causes(why)).into())
    }
}

/// Whose packages a bucket has whose owner object has this text.
fn ownership(text: &[u8], origin: Option<Digest>) -> Ownership {
    let is_own = origin.is_some_and(|origin| text == origin.to_string().as_bytes());
    if is_own { Ownership::Own } else { Ownership::Foreign }
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
        let listed =
            self.objects.run_within(LIST_TIMEOUT, |target| async move { listing::all(&target).await });
        listed.map_err(|why| self.failed(&why))?.into_iter().for_each(visit);
        Ok(())
    }

    fn remove_blobs(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        self.claim()?;
        let digests = digests.to_vec();
        let removed = self.objects.run_within(REMOVE_TIMEOUT, move |target| async move {
            removal::remove(&target, min_age, digests).await
        });
        removed.map(Removal::Done).map_err(|why| self.failed(&why))
    }

    fn hold_blobs(&self) -> Result<BlobHold, JournalError> {
        Ok(BlobHold::none())
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
