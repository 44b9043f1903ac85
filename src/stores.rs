//! The stores that the settings name. The one place that opens them.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use bucket::packages::Ownership;
use bucket::{BucketBlobs, TargetUrl};
use client::http::root_certs_of_environment;
use postgres_store::{Address, Database, PostgresJournal, PostgresLocal, Roots};
use registry::journal::{self, BlobFolder, Blobs, Journal, SqliteJournal, Storage};
use registry::local::{LocalStore, SqliteLocal};
use registry::with_causes;
use ureq::tls::RootCerts;

use crate::Failure;
use crate::config::Config;
use crate::output::print_error;
use crate::target::packages_target;

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
    let Some(address) = config.storage.address()? else {
        let storage = storage_of(config, None)?;
        let (local, warning) = LocalStore::open(&config.data)?;
        if let Some(warning) = warning {
            print_error(warning);
        }
        return Ok(Stores { storage, local });
    };
    let database = open_database(address)?;
    let storage = storage_of(config, Some(&database))?;
    let local = LocalStore::on(Arc::new(PostgresLocal::new(database)), &config.data);
    Ok(Stores { storage, local })
}

/// Opens the journal and the packages of an existing registry, without parsing rows.
pub fn open_storage(config: &Config) -> Result<Storage, Failure> {
    require_registry(config)?;
    let database = config.storage.address()?.map(open_database).transpose()?;
    storage_of(config, database.as_ref())
}

/// Opens the journal of an existing registry alone.
pub fn open_journal(config: &Config) -> Result<Arc<dyn Journal>, Failure> {
    require_registry(config)?;
    Ok(match config.storage.address()? {
        Some(address) => Arc::new(PostgresJournal::new(open_database(address)?)),
        None => Arc::new(SqliteJournal::open(&config.data)?),
    })
}

/// Opens the local data of an existing registry, if there are any. Damaged ones stay where they are.
pub fn open_local_undamaged(config: &Config) -> Result<Option<LocalStore>, Failure> {
    if let Some(address) = config.storage.address()? {
        let local = PostgresLocal::new(open_database(address)?);
        return Ok(Some(LocalStore::on(Arc::new(local), &config.data)));
    }
    let has_local = SqliteLocal::is_in(&config.data);
    Ok(has_local.then(|| LocalStore::open_undamaged(&config.data)).transpose()?)
}

/// The journal in a database or in the data folder, and the packages in a bucket or in the data folder.
fn storage_of(config: &Config, database: Option<&Arc<Database>>) -> Result<Storage, Failure> {
    let journal: Arc<dyn Journal> = match database {
        Some(database) => Arc::new(PostgresJournal::new(Arc::clone(database))),
        None => Arc::new(SqliteJournal::open(&config.data)?),
    };
    let is_new = journal.head()? == 0 && !journal.is_unfinished_copy()?;
    let blobs: Arc<dyn Blobs> = match &config.storage.packages {
        Some(url) => {
            let blobs = bucket_blobs(config, url, &journal)?;
            check_packages(config, &blobs, is_new)?;
            Arc::new(blobs)
        }
        None => {
            if let Some(database) = database.filter(|_| is_new)
                && BlobFolder::has_any(&config.data)?
            {
                let data = config.data.display();
                return Err(format!(
                    "the journal in {database} is empty but {data} has packages: correct storage.journal, copy the rows with \
                     `skillmirror journal copy`, or move `blobs` out of the folder to begin an empty registry"
                )
                .into());
            }
            Arc::new(BlobFolder::open(&config.data)?)
        }
    };
    let storage = Storage { journal, blobs };
    refuse_unfinished(&storage)?;
    Ok(storage)
}

/// The packages of the registry with this journal, in a bucket of the store of the settings.
pub fn bucket_blobs(
    config: &Config,
    url: &TargetUrl,
    journal: &Arc<dyn Journal>,
) -> Result<BucketBlobs, Failure> {
    let journal = Arc::clone(journal);
    let origin = Box::new(move || journal.link_at(1));
    Ok(BucketBlobs::of(packages_target(config, url)?, origin)?)
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

fn refuse_unfinished(storage: &Storage) -> Result<(), Failure> {
    if storage.journal.is_unfinished_copy()? {
        let why = "the journal is an unfinished copy of another one: end it with `skillmirror journal copy --finish`";
        return Err(why.into());
    }
    Ok(())
}

/// Whether there is a registry.
pub fn is_registry_there(config: &Config) -> Result<bool, Failure> {
    if let Some(address) = config.storage.address()? {
        return Ok(Database::has_journal(address, &roots()?)?);
    }
    let is_there = SqliteJournal::is_in(&config.data).map_err(|why| {
        let owner = fs::metadata(&config.data).map_or(String::new(), |found| owner(found.uid()));
        format!("cannot read the registry in {}: {why}{owner}", config.data.display())
    })?;
    Ok(is_there)
}

/// Refuses if there is no registry.
pub fn require_registry(config: &Config) -> Result<(), Failure> {
    if is_registry_there(config)? {
        return Ok(());
    }
    Err(match config.storage.address()? {
        Some(address) => {
            format!(
                "no registry in {address}: correct storage.journal, or create one with `skillmirror serve`"
            )
        }
        None => {
            let data = config.data.display();
            format!(
                "no registry in {data}: name its folder with --data, or create one with `skillmirror serve`"
            )
        }
    }
    .into())
}

/// Refuses to begin a history where parts of one are left.
pub fn check_new(config: &Config) -> Result<(), Failure> {
    if config.storage.journal.is_none() {
        SqliteJournal::check_new(&config.data)?;
    }
    Ok(())
}

/// Refuses a command that replaces the files of a journal and its packages, because there are none.
pub fn require_folder(config: &Config, instead: &str) -> Result<(), Failure> {
    if let Some(url) = &config.storage.packages {
        return Err(format!("the packages are in {url}, not in a folder: {instead}").into());
    }
    match config.storage.address()? {
        Some(address) => Err(format!("the journal is in {address}, not in a folder: {instead}").into()),
        None => Ok(()),
    }
}

/// The bytes of the journal in the data folder. None if it is elsewhere.
pub fn journal_size(config: &Config) -> impl Fn() -> Option<u64> + Send + Sync + use<> {
    let data = config.storage.journal.is_none().then(|| config.data.clone());
    move || data.as_deref().and_then(|data| journal::size(data).ok())
}

/// Says who may read a folder.
fn owner(uid: u32) -> String {
    let accounts = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let names = accounts.lines().filter_map(|line| {
        let mut fields = line.split(':');
        Some((fields.next()?, fields.nth(1)?.parse::<u32>().ok()?))
    });
    let name = names.into_iter().find(|(_, of)| *of == uid).map(|(name, _)| name.to_owned());
    let name = name.unwrap_or_else(|| format!("uid {uid}"));
    format!(". It belongs to {name}: run the command as that user")
}
