//! Packages in buckets.

use std::sync::Arc;

use bucket::packages::Ownership;
use bucket::{BucketBlobs, TargetUrl};
use registry::journal::{BlobFolder, Blobs, Journal};
use registry::with_causes;

use super::target::packages_target;
use crate::Failure;
use crate::config::Config;

/// The packages of the registry with this journal, in a bucket of the store of the settings. `is_new` says that
/// the journal is empty. Refuses a bucket that has the packages of another registry, or lacks those of this one.
pub fn bucket_packages(
    config: &Config,
    url: &TargetUrl,
    journal: &Arc<dyn Journal>,
    is_new: bool,
) -> Result<Arc<dyn Blobs>, Failure> {
    let blobs = packages(config, url, journal)?;
    let (name, data) = (blobs.name(), config.data.display());
    match blobs.ownership().map_err(|why| with_causes(&why))? {
        Ownership::Foreign if is_new => Err(format!(
            "the journal is empty but {name} has packages: correct storage.packages or storage.journal"
        )
        .into()),
        Ownership::Foreign => Err(blobs.refusal().into()),
        Ownership::Unclaimed if !is_new && BlobFolder::has_any(&config.data)? => Err(format!(
            "the packages are in {data}, not in {name}: copy them with \
             `skillmirror journal copy --packages --from {data} --to {name}`"
        )
        .into()),
        Ownership::Own | Ownership::Unclaimed => Ok(Arc::new(blobs)),
    }
}

/// The packages in a bucket, which belongs to the registry with this journal from now on.
pub fn claimed_packages(
    config: &Config,
    url: &TargetUrl,
    journal: &Arc<dyn Journal>,
) -> Result<Arc<dyn Blobs>, Failure> {
    let blobs = packages(config, url, journal)?;
    blobs.claim()?;
    Ok(Arc::new(blobs))
}

fn packages(config: &Config, url: &TargetUrl, journal: &Arc<dyn Journal>) -> Result<BucketBlobs, Failure> {
    let journal = Arc::clone(journal);
    let origin = Box::new(move || journal.link_at(1));
    Ok(BucketBlobs::of(packages_target(config, url)?, origin)?)
}
