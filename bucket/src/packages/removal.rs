//! Removes packages.

use std::time::{Duration, SystemTime};

use futures_util::{StreamExt, TryStreamExt, stream};
use object_store::{Error as StoreError, ObjectStoreExt};
use registry::journal::StoredBlob;
use registry::names::Digest;

use super::listing;
use crate::store::Target;

/// Packages that are removed at the same time: writers wait meanwhile.
const AT_ONCE: usize = 16;

/// Removes those of the packages that are at least `min_age` old. Returns those that were removed.
pub async fn remove(
    target: &Target,
    min_age: Duration,
    digests: Vec<Digest>,
) -> Result<Vec<StoredBlob>, StoreError> {
    let now = listing::now(target).await?;
    let removals =
        digests.into_iter().map(|digest| async move { remove_one(target, digest, min_age, now).await });
    let removed: Vec<_> = stream::iter(removals).buffer_unordered(AT_ONCE).try_collect().await?;
    Ok(removed.into_iter().flatten().collect())
}

/// Removes all objects of a package if the newest is at least `min_age` old. Returns None if the package
/// stays, or has no objects.
async fn remove_one(
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
