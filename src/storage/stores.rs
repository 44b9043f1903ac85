//! The stores that the settings name. The one place that opens them.

use std::sync::Arc;

use registry::journal::{self, BlobFolder, Blobs, Journal, SqliteJournal, Storage};
use registry::local::{LocalStore, SqliteLocal};

use crate::Failure;
use crate::config::Config;
use crate::config::unusable_path::unreadable;
use crate::engines::{bucket_packages, has_database_journal, open_database};
use crate::output::print_error;

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
    if let Some(address) = config.storage.database()? {
        let (journal, local) = open_database(address)?;
        return Ok(Stores { storage: with_blobs(config, journal)?, local });
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
    Ok(match config.storage.database()? {
        None => Arc::new(SqliteJournal::open(&config.data)?),
        Some(address) => open_database(address)?.0,
    })
}

/// Opens the local data of an existing registry, if there are any. Damaged ones stay where they are.
pub fn open_local_undamaged(config: &Config) -> Result<Option<LocalStore>, Failure> {
    if let Some(address) = config.storage.database()? {
        return Ok(Some(open_database(address)?.1));
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
    if config.storage.has_database() && is_new && BlobFolder::has_any(&config.data)? {
        let (place, data) = (config.journal_name()?, config.data.display());
        return Err(format!(
            "the journal in {place} is empty but {data} has packages: correct storage.journal, copy the rows with \
             `skillmirror journal copy`, or move `blobs` out of the folder to begin an empty registry"
        )
        .into());
    }
    let blobs: Arc<dyn Blobs> = match &config.storage.packages {
        Some(url) => bucket_packages(config, url, &journal, is_new)?,
        None => Arc::new(BlobFolder::open(&config.data)?),
    };
    Ok(Storage { journal, blobs })
}

/// Whether there is a registry.
pub fn is_registry_there(config: &Config) -> Result<bool, Failure> {
    if let Some(address) = config.storage.database()? {
        return has_database_journal(address);
    }
    let is_there = SqliteJournal::is_in(&config.data);
    Ok(is_there.map_err(|why| unreadable(&config.data, &why, "--data names another folder"))?)
}

/// Refuses if there is no registry.
pub fn require_registry(config: &Config) -> Result<(), Failure> {
    if is_registry_there(config)? {
        return Ok(());
    }
    let place = config.journal_name()?;
    let correct =
        if config.storage.has_database() { "correct storage.journal" } else { "name its folder with --data" };
    Err(format!("no registry in {place}: {correct}, or create one with `skillmirror serve`").into())
}

/// Refuses to begin a history where parts of one are left.
pub fn check_new(config: &Config) -> Result<(), Failure> {
    if !config.storage.has_database() {
        SqliteJournal::check_new(&config.data)?;
    }
    Ok(())
}

/// Fails if the journal or the packages are not in the data folder. `instead` says what to do then.
pub fn require_folder(config: &Config, instead: &str) -> Result<(), Failure> {
    match (config.storage.has_database(), &config.storage.packages) {
        (false, None) => Ok(()),
        (false, Some(url)) => Err(format!("the packages are in {url}, not in a folder: {instead}").into()),
        (true, _) => {
            let place = config.journal_name()?;
            Err(format!("the journal is in {place}, not in a folder: {instead}").into())
        }
    }
}

/// The bytes of the journal in the data folder. None if it is elsewhere.
pub fn journal_size(config: &Config) -> impl Fn() -> Option<u64> + Send + Sync + use<> {
    let data = (!config.storage.has_database()).then(|| config.data.clone());
    move || data.as_deref().and_then(|data| journal::size(data).ok())
}
