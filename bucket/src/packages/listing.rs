//! Finds the objects of packages, and their ages.

use std::time::{Duration, SystemTime};

use futures_util::TryStreamExt;
use object_store::{Error as StoreError, ObjectMeta, ObjectStoreExt};
use registry::journal::StoredBlob;
use registry::names::Digest;

use crate::objects::unique;
use crate::store::Target;

/// The folder of the packages in the bucket.
const BLOBS: &str = "blobs";

/// The key of a new object of a package.
pub fn new_key(digest: Digest) -> String {
    format!("{BLOBS}/{digest}/{}", unique())
}

/// The objects of a package, the newest first.
pub async fn of(target: &Target, digest: Digest) -> Result<Vec<ObjectMeta>, StoreError> {
    let folder = target.path(&format!("{BLOBS}/{digest}"))?;
    let mut found: Vec<_> = target.store.list(Some(&folder)).try_collect().await?;
    found.retain(|object| package_of(target, object) == Some(digest));
    found.sort_unstable_by_key(|object| std::cmp::Reverse(object.last_modified));
    Ok(found)
}

/// The package of an object. None if it is another kind of object.
fn package_of(target: &Target, object: &ObjectMeta) -> Option<Digest> {
    let key = target.key(&object.location)?;
    let (digest, name) = key.strip_prefix(BLOBS)?.strip_prefix('/')?.split_once('/')?;
    let is_name = name.len() == 32 && name.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    digest.parse().ok().filter(|_| is_name)
}

/// The time by the clock of the store.
pub async fn now(target: &Target) -> Result<SystemTime, StoreError> {
    let place = target.path(&format!("clock/{}", unique()))?;
    target.store.put(&place, "now".into()).await?;
    let now = target.store.head(&place).await?.last_modified.into();
    target.store.delete(&place).await?;
    Ok(now)
}

/// The age of an object. One in the future, before the clock was set back, is new.
pub fn age(object: &ObjectMeta, now: SystemTime) -> Duration {
    now.duration_since(object.last_modified.into()).unwrap_or_default()
}

/// All packages, each with the size and age of its newest object.
pub async fn all(target: &Target) -> Result<Vec<StoredBlob>, StoreError> {
    let now = now(target).await?;
    let folder = target.path(BLOBS)?;
    let mut found = Vec::new();
    let mut objects = target.store.list(Some(&folder));
    while let Some(object) = objects.try_next().await? {
        if let Some(digest) = package_of(target, &object) {
            found.push(StoredBlob { digest, size: object.size, age: age(&object, now) });
        }
    }
    found.sort_unstable_by_key(|blob| (blob.digest, blob.age));
    found.dedup_by_key(|blob| blob.digest);
    Ok(found)
}
