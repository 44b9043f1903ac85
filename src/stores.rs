//! The stores that the settings name. The one place that opens them.

use std::sync::Arc;

use bucket::packages::Ownership;
use bucket::{BucketBlobs, BucketJournal, TargetUrl};
use client::http::root_certs_of_environment;
use postgres_store::{Address, Database, PostgresJournal, PostgresLocal, Roots};
use registry::journal::{self, BlobFolder, Blobs, Journal, SqliteJournal, Storage};
use registry::local::{LocalStore, SqliteLocal};
use registry::with_causes;
use ureq::tls::RootCerts;

use crate::Failure;
use crate::access;
use crate::config::{Config, JournalPlace};
use crate::output::print_error;
use crate::target::storage_target;

/// All stores of a registry.
pub struct Stores {
    /// The journal and the packages.
    pub storage: Storage,
    /// The local data.
    pub local: LocalStore,
}

/// Opens all stores. A journal that does not exist begins empty. Tells if damaged local data were set
/// aside.
pub fn open_stores(config: &Config) -> Result<Stores, Failure> {
    if let JournalPlace::Database(address) = config.storage.journal_place()? {
        let database = open_database(address)?;
        let journal = Arc::new(PostgresJournal::new(Arc::clone(&database)));
        let storage = with_blobs(config, journal)?;
        let local = LocalStore::on(Arc::new(PostgresLocal::new(database)));
        return Ok(Stores { storage, local });
    }
    let storage = with_blobs(config, journal_of(config)?)?;
    let (local, warning) = LocalStore::open(&config.data)?;
    if let Some(warning) = warning {
        print_error(warning);
    }
    Ok(Stores { storage, local })
}

/// Opens the journal and the packages of an existing registry, without parsing rows.
pub fn open_storage(config: &Config) -> Result<Storage, Failure> {
    with_blobs(config, open_journal(config)?)
}

/// Opens the journal of an existing registry alone.
pub fn open_journal(config: &Config) -> Result<Arc<dyn Journal>, Failure> {
    require_registry(config)?;
    journal_of(config)
}

/// Opens the journal of the settings. One that does not exist begins empty.
fn journal_of(config: &Config) -> Result<Arc<dyn Journal>, Failure> {
    Ok(match config.storage.journal_place()? {
        JournalPlace::Folder => Arc::new(SqliteJournal::open(&config.data)?),
        JournalPlace::Database(address) => Arc::new(PostgresJournal::new(open_database(address)?)),
        JournalPlace::Bucket(url) => Arc::new(bucket_journal(config, &url, "storage.journal")?),
    })
}

/// Opens the journal in a bucket of the store of the settings. `setting` names the address.
pub fn bucket_journal(config: &Config, url: &TargetUrl, setting: &str) -> Result<BucketJournal, Failure> {
    Ok(BucketJournal::open(storage_target(config, url, setting)?)?)
}

/// Opens the local data of an existing registry, if there are any. Damaged ones stay where they are.
pub fn open_local_undamaged(config: &Config) -> Result<Option<LocalStore>, Failure> {
    if let JournalPlace::Database(address) = config.storage.journal_place()? {
        let local = PostgresLocal::new(open_database(address)?);
        return Ok(Some(LocalStore::on(Arc::new(local))));
    }
    let has_local = SqliteLocal::is_in(&config.data);
    Ok(has_local.then(|| LocalStore::open_undamaged(&config.data)).transpose()?)
}

/// Adds the packages, in a bucket or in the data folder.
fn with_blobs(config: &Config, journal: Arc<dyn Journal>) -> Result<Storage, Failure> {
    if journal.is_unfinished_copy()? {
        let why = "the journal is an unfinished copy of another one: end it with `skillmirror journal copy --finish`";
        return Err(why.into());
    }
    let is_new = journal.head()? == 0;
    let is_elsewhere = !matches!(config.storage.journal_place()?, JournalPlace::Folder);
    if is_elsewhere && is_new && BlobFolder::has_any(&config.data)? {
        let (place, data) = (journal_name(config)?, config.data.display());
        return Err(format!(
            "the journal in {place} is empty but {data} has packages: correct storage.journal, copy the rows with \
             `skillmirror journal copy`, or move `blobs` out of the folder to begin an empty registry"
        )
        .into());
    }
    let blobs: Arc<dyn Blobs> = match &config.storage.packages {
        Some(url) => {
            let blobs = bucket_blobs(config, url, &journal)?;
            check_packages(config, &blobs, is_new)?;
            Arc::new(blobs)
        }
        None => Arc::new(BlobFolder::open(&config.data)?),
    };
    Ok(Storage { journal, blobs })
}

/// The packages of the registry with this journal, in a bucket of the store of the settings.
pub fn bucket_blobs(
    config: &Config,
    url: &TargetUrl,
    journal: &Arc<dyn Journal>,
) -> Result<BucketBlobs, Failure> {
    let journal = Arc::clone(journal);
    let origin = Box::new(move || journal.link_at(1));
    Ok(BucketBlobs::of(storage_target(config, url, "storage.packages")?, origin)?)
}

/// Refuses a bucket that has the packages of another registry, or lacks those of this one.
fn check_packages(config: &Config, blobs: &BucketBlobs, is_new: bool) -> Result<(), Failure> {
    let (name, data) = (blobs.name(), config.data.display());
    match blobs.ownership().map_err(|why| with_causes(&why))? {
        Ownership::Own => Ok(()),
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
        Ownership::Unclaimed => Ok(()),
    }
}

/// Connects to a database, and makes or migrates its schema.
pub fn open_database(address: Address) -> Result<Arc<Database>, Failure> {
    Ok(Arc::new(Database::open(address, &roots()?)?))
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

/// Whether there is a registry.
pub fn is_registry_there(config: &Config) -> Result<bool, Failure> {
    match config.storage.journal_place()? {
        JournalPlace::Database(address) => return Ok(Database::has_journal(address, &roots()?)?),
        JournalPlace::Bucket(url) => {
            return Ok(BucketJournal::is_in(storage_target(config, &url, "storage.journal")?)?);
        }
        JournalPlace::Folder => {}
    }
    let is_there = SqliteJournal::is_in(&config.data);
    Ok(is_there.map_err(|why| access::unreadable(&config.data, &why, "--data names another folder"))?)
}

/// Refuses if there is no registry.
pub fn require_registry(config: &Config) -> Result<(), Failure> {
    if is_registry_there(config)? {
        return Ok(());
    }
    let place = journal_name(config)?;
    let correct = match config.storage.journal_place()? {
        JournalPlace::Folder => "name its folder with --data",
        JournalPlace::Database(_) | JournalPlace::Bucket(_) => "correct storage.journal",
    };
    Err(format!("no registry in {place}: {correct}, or create one with `skillmirror serve`").into())
}

/// Names the place of the journal, for messages: a folder, or an address without a password.
pub fn journal_name(config: &Config) -> Result<String, String> {
    Ok(match config.storage.journal_place()? {
        JournalPlace::Folder => config.data.display().to_string(),
        JournalPlace::Database(address) => address.to_string(),
        JournalPlace::Bucket(url) => url.to_string(),
    })
}

/// Refuses to begin a history where parts of one are left.
pub fn check_new(config: &Config) -> Result<(), Failure> {
    if config.storage.journal.is_none() {
        SqliteJournal::check_new(&config.data)?;
    }
    Ok(())
}

/// Fails if the journal or the packages are not in the data folder. `instead` says what to do then.
pub fn require_folder(config: &Config, instead: &str) -> Result<(), Failure> {
    match (config.storage.journal_place()?, &config.storage.packages) {
        (JournalPlace::Folder, None) => Ok(()),
        (JournalPlace::Folder, Some(url)) => {
            Err(format!("the packages are in {url}, not in a folder: {instead}").into())
        }
        _ => {
            let place = journal_name(config)?;
            Err(format!("the journal is in {place}, not in a folder: {instead}").into())
        }
    }
}

/// The bytes of the journal in the data folder. None if it is elsewhere.
pub fn journal_size(config: &Config) -> impl Fn() -> Option<u64> + Send + Sync + use<> {
    let data = config.storage.journal.is_none().then(|| config.data.clone());
    move || data.as_deref().and_then(|data| journal::size(data).ok())
}
