//! Rows and packages in PostgreSQL and in buckets.

use std::sync::Arc;

use bucket::packages::Ownership;
use bucket::{BucketBlobs, BucketJournal, TargetUrl};
use client::http::root_certs_of_environment;
use postgres_store::{Address, Database, PostgresJournal, PostgresLocal, Roots};
use registry::journal::{BlobFolder, Blobs, Journal};
use registry::local::LocalStore;
use registry::with_causes;
use ureq::tls::RootCerts;

use super::target::storage_target;
use crate::Failure;
use crate::config::Config;

/// Connects to a database, and makes or migrates its schema. Returns the journal and the local data in it.
pub fn open_database(address: Address) -> Result<(Arc<dyn Journal>, LocalStore), Failure> {
    let database = Arc::new(Database::open(address, &roots()?)?);
    let local = LocalStore::on(Arc::new(PostgresLocal::new(Arc::clone(&database))));
    Ok((Arc::new(PostgresJournal::new(database)), local))
}

/// Whether a database has a journal.
pub fn has_database_journal(address: Address) -> Result<bool, Failure> {
    Ok(Database::has_journal(address, &roots()?)?)
}

/// The authorities that may sign the certificate of a database.
fn roots() -> Result<Roots, String> {
    Ok(match root_certs_of_environment()? {
        RootCerts::Specific(certificates) => {
            Roots::Specific(certificates.iter().map(|certificate| certificate.der().to_vec()).collect())
        }
        _ => Roots::Builtin,
    })
}

/// Opens the journal in a bucket of the store of the settings. `setting` names the address.
pub fn bucket_journal(config: &Config, url: &TargetUrl, setting: &str) -> Result<Arc<dyn Journal>, Failure> {
    Ok(Arc::new(BucketJournal::open(storage_target(config, url, setting)?)?))
}

/// Whether a bucket has a journal. `setting` names its address.
pub fn has_bucket_journal(config: &Config, url: &TargetUrl, setting: &str) -> Result<bool, Failure> {
    Ok(BucketJournal::is_in(storage_target(config, url, setting)?)?)
}

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
    Ok(BucketBlobs::of(storage_target(config, url, "storage.packages")?, origin)?)
}
