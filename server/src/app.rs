//! The server's parts.

mod settings;

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::Arc;

use generator::Sources;
use generator::tree::Tree;
use registry::Registry;
use registry::access::NamespaceCreation;
use registry::local::LocalStore;
use registry::names::Namespace;
use tokio::sync::Semaphore;

use crate::connection::open_connections::OpenConnections;
use crate::mcp_endpoint::McpEndpoint;
use crate::observation::{RequestMetrics, RequestObserver};
use crate::private_namespaces::{Accounts, OpenRegistries};
use crate::reads::document_cache::DocumentCache;
use crate::reads::downloads::Downloads;
use crate::reads::git::repositories::Repositories;
use crate::reads::tree_reader::TreeReader;
use crate::request::multipart::UploadBudget;
use crate::security::auth::Authenticator;
use crate::security::read_keys::ReadKeys;
use crate::security::sign_in::SignIn;
use crate::security::upload_places::UploadPlaces;
use crate::security::write_rate::{Subject, WriteRate};
use crate::tree_updates::{PublisherParts, PublisherThread};

pub use self::settings::Settings;

/// Codes of logins that each client can enter in a minute. If a hundred codes wait all the time, it
/// guesses one of them in some twenty years.
const CODES_PER_MINUTE: NonZeroU32 = NonZeroU32::MIN.saturating_add(19);

/// A running server. Only `dispatch`, `serve` and `routes` use it; everything
/// else is given the parts that it needs.
pub struct App {
    pub(crate) registry: Arc<Registry>,
    pub(crate) local: Arc<LocalStore>,
    pub(crate) authenticator: Arc<Authenticator>,
    pub(crate) reader: Arc<TreeReader>,
    pub(crate) mcp: Arc<McpEndpoint>,
    pub(crate) publisher: Arc<PublisherThread>,
    pub(crate) downloads: Arc<Downloads>,
    pub(crate) write_rate: Arc<WriteRate>,
    pub(crate) sign_in: Arc<SignIn>,
    /// Limits how many codes of logins each client can guess.
    pub(crate) code_rate: Arc<WriteRate>,
    pub(crate) uploads: UploadBudget,
    pub(crate) upload_places: UploadPlaces,
    pub(crate) connections: Arc<OpenConnections>,
    pub(crate) observer: RequestObserver,
    /// Limits how many packages are unpacked at once. `uploads` does not count
    /// their content, which may be 200 times as large as the upload.
    pub(crate) unpacking: Arc<Semaphore>,
    pub(crate) settings: Settings,
    /// Checks credentials below a name that no private namespace has, as long as for one that has no keys.
    pub(crate) no_namespace: Arc<Authenticator>,
    /// The private namespaces of a main registry.
    pub(crate) private: Arc<OpenRegistries<Self>>,
    /// The accounts, if this is a private namespace.
    pub(crate) accounts: Option<Accounts>,
}

impl App {
    /// Whether this process writes the tree.
    pub fn keeps_tree(&self) -> bool {
        self.publisher.progress().keeps_tree
    }

    /// The settings that it runs with.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Compares every file of the tree, and repairs what differs.
    pub fn repair_tree(&self) {
        self.publisher.repair();
    }

    /// Starts the background threads and, if this process writes the tree,
    /// brings the tree up to date.
    ///
    /// Errors: the operating system cannot start a thread.
    pub fn start(
        registry: Arc<Registry>,
        local: Arc<LocalStore>,
        tree: Tree,
        settings: Settings,
    ) -> std::io::Result<Arc<Self>> {
        let tree_settings = settings.publisher.tree.clone();
        let documents = Arc::new(DocumentCache::new(settings.reads_memory, tree_settings.gzip));
        let Sources { search, store, .. } = Sources::new(registry.public(), registry.store(), &tree_settings);
        let publisher = PublisherThread::start(PublisherParts {
            registry: Arc::clone(&registry),
            local: Arc::clone(&local),
            search: Arc::clone(&search),
            tree: settings.mirror.then(|| tree.clone()),
            documents: Arc::clone(&documents),
            settings: settings.publisher.clone(),
        })?;
        // Unpacking and hashing keep a processor busy: more at once would only
        // cost memory.
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let reader = Arc::new(TreeReader {
            public: registry.public(),
            store,
            search,
            tree,
            settings: tree_settings,
            signing: settings.publisher.signing.clone(),
            has_tree: settings.mirror,
            documents,
            repositories: Repositories::default(),
        });
        let authenticator = |tree: Tree| {
            Arc::new(Authenticator {
                registry: Arc::clone(&registry),
                local: Arc::clone(&local),
                public_url: settings.public_url.clone(),
                read_keys: Arc::new(ReadKeys::of(tree)),
                reconfirm: settings.sign_in.reconfirm,
            })
        };
        let open = OpenConnections::new(settings.http.connections, settings.http.connections_per_client);
        Ok(Arc::new(Self {
            mcp: Arc::new(McpEndpoint::new(
                Arc::clone(&reader),
                settings.public_url.clone(),
                settings.http.json,
            )),
            authenticator: authenticator(reader.tree.clone()),
            no_namespace: authenticator(Tree::at(reader.tree.root().with_extension("private").join("-"))),
            reader,
            publisher: Arc::new(publisher),
            downloads: Arc::new(Downloads::start(Arc::clone(&registry), Arc::clone(&local))?),
            write_rate: rate(&local, &registry, Subject::Writes, settings.writes_per_minute),
            sign_in: Arc::new(SignIn::new(Arc::clone(&registry), Arc::clone(&local), processors)),
            code_rate: rate(&local, &registry, Subject::Codes, CODES_PER_MINUTE),
            upload_places: UploadPlaces::new(settings.http.uploads_per_person),
            uploads: UploadBudget::new(settings.http.uploads_total, settings.http.uploads),
            connections: Arc::new(open),
            observer: RequestObserver {
                metrics: settings.metrics.then(RequestMetrics::default),
                access_log: settings.access_log.clone(),
                proxies: settings.http.trusted_proxies.clone(),
            },
            unpacking: Arc::new(Semaphore::new(processors)),
            registry,
            local,
            private: Arc::default(),
            accounts: None,
            settings,
        }))
    }

    /// The same server with new settings: those of requests, packages, persons, sessions and logs.
    /// All others stay as they are, because what they decide is running.
    #[must_use]
    pub fn with_settings(&self, settings: Settings) -> Arc<Self> {
        let running = &self.settings;
        let settings = Settings {
            publisher: running.publisher.clone(),
            public_url: running.public_url.clone(),
            reads_memory: running.reads_memory,
            mirror: running.mirror,
            metrics: running.metrics,
            private: running.private.clone(),
            trusted: Arc::clone(&running.trusted),
            outbound: running.outbound.clone(),
            scans: Arc::clone(&running.scans),
            ..settings
        };
        let app = Arc::new(Self {
            registry: Arc::clone(&self.registry),
            local: Arc::clone(&self.local),
            authenticator: Arc::clone(&self.authenticator),
            reader: Arc::clone(&self.reader),
            mcp: Arc::clone(&self.mcp),
            publisher: Arc::clone(&self.publisher),
            downloads: Arc::clone(&self.downloads),
            write_rate: rate(&self.local, &self.registry, Subject::Writes, settings.writes_per_minute),
            sign_in: Arc::clone(&self.sign_in),
            code_rate: Arc::clone(&self.code_rate),
            uploads: UploadBudget::new(settings.http.uploads_total, settings.http.uploads),
            upload_places: UploadPlaces::new(settings.http.uploads_per_person),
            connections: Arc::clone(&self.connections),
            observer: RequestObserver {
                metrics: self.observer.metrics.clone(),
                access_log: settings.access_log.clone(),
                proxies: settings.http.trusted_proxies.clone(),
            },
            unpacking: Arc::clone(&self.unpacking),
            no_namespace: Arc::clone(&self.no_namespace),
            private: Arc::clone(&self.private),
            accounts: None,
            settings,
        });
        app.private.replace(|name, private| private.as_private_namespace_of(&app, name.clone()));
        app
    }

    /// This registry as a private namespace of `main`: with its accounts, and within its limits and settings.
    pub(crate) fn as_private_namespace_of(&self, main: &Self, namespace: Namespace) -> Self {
        let own = &self.settings;
        Self {
            registry: Arc::clone(&self.registry),
            local: Arc::clone(&self.local),
            reader: Arc::clone(&self.reader),
            mcp: Arc::clone(&self.mcp),
            publisher: Arc::clone(&self.publisher),
            downloads: Arc::clone(&self.downloads),
            authenticator: Arc::new(Authenticator {
                read_keys: Arc::clone(&self.authenticator.read_keys),
                registry: Arc::clone(&main.registry),
                local: Arc::clone(&main.local),
                public_url: main.settings.public_url.clone(),
                reconfirm: main.authenticator.reconfirm,
            }),
            write_rate: Arc::clone(&main.write_rate),
            sign_in: Arc::clone(&main.sign_in),
            code_rate: Arc::clone(&main.code_rate),
            uploads: main.uploads.clone(),
            upload_places: main.upload_places.clone(),
            connections: Arc::clone(&main.connections),
            observer: main.observer.clone(),
            unpacking: Arc::clone(&main.unpacking),
            settings: Settings {
                publisher: own.publisher.clone(),
                public_url: own.public_url.clone(),
                reads_memory: own.reads_memory,
                mirror: own.mirror,
                creation: NamespaceCreation::Admins,
                private: None,
                // Scanners judge the main registry only.
                scans: Arc::default(),
                ..main.settings.clone()
            },
            no_namespace: Arc::clone(&main.no_namespace),
            private: Arc::default(),
            accounts: Some(Accounts {
                namespace,
                registry: Arc::clone(&main.registry),
                local: Arc::clone(&main.local),
            }),
        }
    }
}

/// What was counted before the settings changed still counts.
fn rate(local: &Arc<LocalStore>, of: &Arc<Registry>, what: Subject, most: NonZeroU32) -> Arc<WriteRate> {
    Arc::new(WriteRate::new(Arc::clone(local), Arc::clone(of), what, most))
}
