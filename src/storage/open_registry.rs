//! Opens the registry in the data folder, or creates a new one.

use std::sync::Arc;

use generator::tree::Tree;
use registry::access::Credential;
use registry::local::{HistoryContents, LocalStore, lock_data_folder, write_secret_file};
use registry::names::Handle;
use registry::ops::set_up::{SetUp, set_up};
use registry::private::Secret;
use registry::{Caller, Registry};
use server::response_headers::request_id::RequestId;

use crate::Failure;
use crate::config::Config;
use crate::output::{print_error, print_note};
use crate::signing::older_data::refuse_older_than_tree;
use crate::storage::stores::{Stores, open_stores, require_registry};

/// An open registry.
pub struct Opened {
    /// The registry.
    pub registry: Arc<Registry>,
    /// The local data, which is neither in the journal nor public.
    pub local: Arc<LocalStore>,
}

/// The caller of operator commands, who owns the data folder. The name of the request tells rows of two processes
/// from each other that are the same otherwise.
pub fn operator(acting_as: Option<Handle>) -> Caller {
    let request = RequestId::random().as_str().to_owned();
    Caller { credential: Credential::Operator { acting_as }, request: Some(request) }
}

/// Opens an existing registry.
pub fn open_existing(config: &Config) -> Result<Opened, Failure> {
    require_registry(config)?;
    open(config)
}

/// Opens the registry, unless it is older than its tree. In an empty data folder, creates the namespace `global`, an admin, and
/// a file with the admin's token.
pub fn open(config: &Config) -> Result<Opened, Failure> {
    let Stores { storage, local } = open_stores(config)?;
    let registry = Arc::new(Registry::open(storage)?);
    refuse_older_than_tree(config, &registry, &Tree::at(&config.public))?;
    let epoch = registry.public().read().feed().epoch().clone();
    local.follow_history(&epoch, || remaining(&registry))?;
    recover_counters(config, &registry, &local)?;
    registry.refresh_counters(&local)?;
    let opened = Opened { registry, local: Arc::new(local) };
    // Who creates a private namespace begins its history.
    let is_main = config.private_namespace.is_none();
    if is_main && opened.registry.read(|catalog| catalog.private.users().len() == 0) {
        first_start(config, &opened.registry)?;
    }
    Ok(opened)
}

/// The contents of the history. The local store forgets data about anything else.
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

/// Adopts the counters of the tree if the local store has lost its own, so that published
/// numbers do not fall.
fn recover_counters(config: &Config, registry: &Registry, local: &LocalStore) -> Result<(), Failure> {
    let tree = Tree::at(&config.public);
    let Some(head) = tree.head().filter(|head| head.counters.generation > 0) else { return Ok(()) };
    if local.counter_generation()? > 0 || head.epoch != *registry.public().read().feed().epoch() {
        return Ok(());
    }
    if let Some(shown) = tree.counters() {
        let counters: Vec<_> = shown.all().map(|(id, counters, _)| (id, counters)).collect();
        local.adopt_counters(&counters, shown.generation().max(head.counters.generation))?;
        print_error("warning: the counters were lost and restored from the tree");
    }
    Ok(())
}

fn first_start(config: &Config, registry: &Registry) -> Result<(), Failure> {
    // Of several processes that start at once, only one may create the registry. Otherwise
    // the token file of one could remain next to the token of another.
    let _alone = lock_data_folder(&config.data)?;
    registry.catch_up()?;
    if registry.read(|catalog| catalog.private.users().len() > 0) {
        return Ok(());
    }
    let secret = Secret::generate()?;
    // The file is written first: a token without its file would be lost, but a file without
    // its token is written again.
    let path = write_secret_file(&config.data, "admin-token", &format!("{}\n", secret.reveal()))?;
    let input = SetUp { admin: "admin".parse()?, digest: secret.digest(), prefix: secret.prefix() };
    let made = registry.commit(&operator(None), |context| set_up(context, &input))?;
    if made.reply {
        let place = config.journal_name()?;
        print_note(format_args!(
            "created a registry in {place}; the token of the admin is in {}",
            path.display()
        ));
    }
    Ok(())
}
