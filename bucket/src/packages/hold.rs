//! Keeps processes on all machines from removing packages.
//!
//! A hold is an object that is put again every minute. A removal looks for them first, and passes over
//! those that nobody has put for ten minutes: their process was killed.

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectStoreExt};
use tokio::task::JoinHandle;

use super::{listing, unique};
use crate::objects::Objects;
use crate::target::Target;
use crate::upload::UploadError;

/// The folder of the holds in the bucket.
const HOLDS: &str = "holds";

/// The pause between two puts of a hold, and how long one counts.
const RENEW_INTERVAL: Duration = Duration::from_secs(60);
const LIFETIME: Duration = Duration::from_secs(10 * 60);

/// A hold of this process. It ends when it is dropped.
pub struct Hold {
    objects: Arc<Objects>,
    place: Path,
    renewal: JoinHandle<()>,
}

impl Hold {
    /// Takes a hold.
    pub fn take(objects: &Arc<Objects>) -> Result<Self, UploadError> {
        let target = objects.target().clone();
        let place = target.path(&format!("{HOLDS}/{}", unique()))?;
        let its = place.clone();
        objects.run(0, move |target| async move { put(&target, &its).await })?;
        let its = place.clone();
        let renewal = objects.handle().spawn(async move {
            loop {
                tokio::time::sleep(RENEW_INTERVAL).await;
                // Tried again a minute later. The work of a holder fails too if the store is away.
                let _ = put(&target, &its).await;
            }
        });
        Ok(Self { objects: Arc::clone(objects), place, renewal })
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.renewal.abort();
        let place = self.place.clone();
        // One that stays ends by its age.
        let _ = self.objects.run(0, move |target| async move { target.store.delete(&place).await });
    }
}

async fn put(target: &Target, place: &Path) -> Result<(), StoreError> {
    target.store.put(place, "hold".into()).await.map(drop)
}

/// Whether any process has a hold at the time `now` of the store. Deletes those of killed processes.
pub async fn is_any(target: &Target, now: SystemTime) -> Result<bool, StoreError> {
    let folder = target.path(HOLDS)?;
    let holds: Vec<_> = target.store.list(Some(&folder)).try_collect().await?;
    for hold in holds {
        if listing::age(&hold, now) < LIFETIME {
            return Ok(true);
        }
        target.store.delete(&hold.location).await?;
    }
    Ok(false)
}
