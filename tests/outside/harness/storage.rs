//! Where the journal and the packages of a registry are: in its folder, in a database, packages also in a bucket.

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::program::program;
use super::{CREDENTIALS, ObjectStore, PostgresServer, Registry};

/// The address of a database, and the server of that.
pub type Database = (String, Arc<PostgresServer>);

/// Settings of the storage, for every command of a registry, and the servers that they name.
#[derive(Default)]
pub struct Storage {
    variables: Vec<(&'static str, String)>,
    database: Option<Arc<PostgresServer>>,
    bucket: Option<ObjectStore>,
}

impl Storage {
    /// The storage that `TEST_STORAGE` names: `postgres` (rows in a database), `bucket` (packages in a bucket), or
    /// `both`. Without it, the data folder.
    pub fn of_tests() -> Self {
        let mut storage = Self::default();
        let kind = std::env::var("TEST_STORAGE").unwrap_or_default();
        assert!(["", "postgres", "bucket", "both"].contains(&kind.as_str()), "TEST_STORAGE={kind}");
        if ["postgres", "both"].contains(&kind.as_str()) {
            storage.use_database(new_database());
        }
        if ["bucket", "both"].contains(&kind.as_str()) {
            storage.use_bucket();
        }
        storage
    }

    fn use_database(&mut self, (address, server): Database) {
        self.variables.push(("SKILLMIRROR_STORAGE_JOURNAL", address));
        self.database = Some(server);
    }

    /// Packages in a new folder of the gateway that `TEST_STORE_ENDPOINT` names, or in a store of the tests.
    fn use_bucket(&mut self) {
        static REGISTRIES: AtomicU64 = AtomicU64::new(0);
        let endpoint = match std::env::var("TEST_STORE_ENDPOINT") {
            Ok(endpoint) => {
                let known = |name| std::env::var(name).expect("the gateway has credentials");
                self.variables.extend(CREDENTIALS.map(|(name, _)| (name, known(name))));
                endpoint
            }
            Err(_) => {
                let store = self.bucket.insert(ObjectStore::start());
                self.variables.extend(CREDENTIALS.map(|(name, value)| (name, value.to_owned())));
                store.base().to_owned()
            }
        };
        let number = REGISTRIES.fetch_add(1, Ordering::Relaxed);
        let folder = format!("s3://skills/{}-{number}", std::process::id());
        self.variables.push(("SKILLMIRROR_STORAGE_PACKAGES", format!("{folder}/packages")));
        self.variables.push(("SKILLMIRROR_STORAGE_ENDPOINT", endpoint));
        self.variables.push(("SKILLMIRROR_STORAGE_REGION", "default".into()));
    }

    /// The settings, as variables of the environment.
    pub fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, value.as_str()))
    }
}

/// A new database on the server that all tests share.
pub fn new_database() -> Database {
    let server = PostgresServer::shared();
    (server.database().1, server)
}

impl Registry {
    /// Empty folders and an empty database, without a server.
    pub fn in_database() -> Self {
        let mut registry = Self::not_started();
        registry.use_database(Some(new_database()));
        registry
    }

    /// From now on commands use another journal: a database, or the data folder. Packages are in the
    /// data folder.
    pub fn use_database(&mut self, database: Option<Database>) {
        self.storage = Storage::default();
        database.into_iter().for_each(|database| self.storage.use_database(database));
    }

    /// The program, where the registry is.
    pub(super) fn program(&self) -> Command {
        let mut program =
            self.disk.as_ref().map_or_else(|| program(self.folder()), |(_, disk)| disk.program());
        program.envs(self.variables()).envs(self.patience());
        program
    }

    /// Answers wait for the tree as long as a slow machine needs, unless the test has set that.
    pub(super) fn patience(&self) -> Option<(&str, &str)> {
        let config = std::fs::read_to_string(self.folder().join("config.toml")).unwrap_or_default();
        (!config.contains("wait_timeout")).then_some(("SKILLMIRROR_MIRROR_WAIT_TIMEOUT", "60"))
    }

    /// The settings of the storage, for every command.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        self.storage.variables()
    }
}
