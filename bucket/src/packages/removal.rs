//! Removes packages.

use std::time::{Duration, SystemTime};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{Error as StoreError, ObjectStoreExt};
use registry::journal::{JournalError, Removal, StoredBlob};
use registry::names::Digest;

use super::{BucketBlobs, hold, listing};
use crate::target::Target;

/// Packages that are removed at the same time: writers wait meanwhile.
const AT_ONCE: usize = 16;

/// The time for a removal.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(30);

impl BucketBlobs {
    /// See [`registry::journal::Blobs::remove_blobs`].
    pub(super) fn remove(&self, min_age: Duration, digests: &[Digest]) -> Result<Removal, JournalError> {
        let digests = digests.to_vec();
        let removed = self.objects.run_within(REMOVE_TIMEOUT, move |target| async move {
            let now = listing::now(&target).await?;
            // A hold that comes later is no danger: its process reads the journal after it, and no
            // row there names what is removed here.
            if hold::is_any(&target, now).await? {
                return Ok(Removal::Held);
            }
            let target = &target;
            let removals =
                digests.into_iter().map(|digest| async move { remove(target, digest, min_age, now).await });
            let removed: Vec<_> = stream::iter(removals).buffer_unordered(AT_ONCE).try_collect().await?;
            Ok(Removal::Done(removed.into_iter().flatten().collect()))
        });
        removed.map_err(|why| self.failed(&why))
    }
}

/// Removes all objects of a package if the newest is at least `min_age` old. Returns None if the package
/// stays, or has no objects.
async fn remove(
    target: &Target,
    digest: Digest,
    min_age: Duration,
    now: SystemTime,
) -> Result<Option<StoredBlob>, StoreError> {
    let found = listing::of(target, digest).await?;
    let Some(newest) = found.first() else { return Ok(None) };
    let removed = StoredBlob { digest, size: newest.size, age: listing::age(newest, now) };
    if removed.age < min_age {
        return Ok(None);
    }
    for object in found {
        match target.store.delete(&object.location).await {
            Ok(()) | Err(StoreError::NotFound { .. }) => {}
            Err(why) => return Err(why),
        }
    }
    Ok(Some(removed))
}
