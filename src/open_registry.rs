//! Opening the registry in the data folder, and making a new one.

use std::sync::Arc;

use generator::tree::Tree;
use registry::access::Credential;
use registry::journal::SqliteJournal;
use registry::local::{HistoryContents, LocalStore, lock_data_folder, write_secret_file};
use registry::names::Handle;
use registry::ops::set_up::{SetUp, set_up};
use registry::private::Secret;
use registry::{Caller, Registry};

use crate::Failure;
use crate::config::Config;

/// An open registry.
pub struct Opened {
    /// The registry.
    pub registry: Arc<Registry>,
    /// What is neither journal nor public.
    pub local: Arc<LocalStore>,
}

/// The person at this machine, who owns the data folder.
pub fn operator(acting_as: Option<Handle>) -> Caller {
    Caller { credential: Credential::Operator { acting_as }, request: None }
}

/// Opens the journal that is in the data folder, whether or not its rows can be
/// understood; makes none.
pub fn open_journal(config: &Config) -> Result<SqliteJournal, Failure> {
    require_one(config)?;
    Ok(SqliteJournal::open(&config.data)?)
}

/// Opens the registry that is in the data folder; makes none.
pub fn open_existing(config: &Config) -> Result<Opened, Failure> {
    require_one(config)?;
    open(config)
}

fn require_one(config: &Config) -> Result<(), Failure> {
    if !SqliteJournal::is_in(&config.data) {
        let data = config.data.display();
        return Err(format!("there is no registry in {data}: give its folder with --data, or start one with `skillmirror serve`").into());
    }
    Ok(())
}

/// Opens the registry. In an empty data folder it makes the `global`
/// namespace, an admin, and a token in a file that it names on standard error.
pub fn open(config: &Config) -> Result<Opened, Failure> {
    let journal = SqliteJournal::open(&config.data)?;
    let (local, warning) = LocalStore::open(&config.data)?;
    if let Some(warning) = warning {
        eprintln!("skillmirror: {warning}");
    }
    let registry = Arc::new(Registry::open(Arc::new(journal))?);
    let epoch = registry.public().read().feed().epoch().clone();
    local.follow_history(&epoch, || remaining(&registry))?;
    recover_counters(config, &registry, &local)?;
    registry.refresh_counters(&local)?;
    let opened = Opened { registry, local: Arc::new(local) };
    if opened.registry.read(|catalog| catalog.private.users().len() == 0) {
        first_start(config, &opened.registry)?;
    }
    Ok(opened)
}

/// What a history has that the local store may remember.
fn remaining(registry: &Registry) -> HistoryContents {
    let accounts = registry.read(|catalog| catalog.private.users().map(|user| user.handle.clone()).collect());
    let mut remaining = HistoryContents { accounts, ..HistoryContents::default() };
    let public = registry.public();
    let public = public.read();
    for skill in public.skills().chain(public.all_removed()) {
        remaining.skills.insert(skill.id);
        remaining.versions.extend(skill.versions.iter().map(|version| version.id));
    }
    remaining
}

/// Takes the counters over that the tree shows, where the local store has lost
/// its own: they were told to everyone, so they go on from there.
fn recover_counters(config: &Config, registry: &Registry, local: &LocalStore) -> Result<(), Failure> {
    let tree = Tree::at(&config.public);
    let Some(head) = tree.head().filter(|head| head.counters.generation > 0) else { return Ok(()) };
    if local.counter_generation()? > 0 || head.epoch != *registry.public().read().feed().epoch() {
        return Ok(());
    }
    if let Some(shown) = tree.counters() {
        let counters: Vec<_> = shown.all().map(|(id, counters, _)| (id, counters)).collect();
        local.adopt_counters(&counters, shown.generation().max(head.counters.generation))?;
        eprintln!("skillmirror: the counters were lost; they go on from those that the tree shows");
    }
    Ok(())
}

fn first_start(config: &Config, registry: &Registry) -> Result<(), Failure> {
    // Of several processes that find nothing here, one begins the registry.
    // Else the file of one would stay beside the token of another.
    let _alone = lock_data_folder(&config.data)?;
    registry.catch_up()?;
    if registry.read(|catalog| catalog.private.users().len() > 0) {
        return Ok(());
    }
    let secret = Secret::generate()?;
    // The file comes first: a token that nobody can read would be of no use,
    // while a file without its token is made again.
    let path = write_secret_file(&config.data, "admin-token", &format!("{}\n", secret.reveal()))?;
    let input = SetUp { admin: "admin".parse()?, digest: secret.digest(), prefix: secret.prefix() };
    let made = registry.commit(&operator(None), |context| set_up(context, &input))?;
    if made.reply {
        eprintln!(
            "made a new registry in {}; the admin's token is in {}",
            config.data.display(),
            path.display()
        );
    }
    Ok(())
}
