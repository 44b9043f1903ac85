//! The server's parts and settings.

use std::num::NonZeroU32;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use generator::Sources;
use generator::tree::Tree;
use registry::Registry;
use registry::access::NamespaceCreation;
use registry::local::LocalStore;
use registry::names::PublicUrl;
use registry::package::Limits;
use registry::quotas::Quotas;
use tokio::sync::Semaphore;

use crate::reads::document_cache::DocumentCache;
use crate::reads::downloads::Downloads;
use crate::reads::tree_reader::TreeReader;
use crate::request::http_limits::HttpLimits;
use crate::request::multipart::UploadBudget;
use crate::security::auth::Authenticator;
use crate::security::sign_in::SignIn;
use crate::security::upload_places::UploadPlaces;
use crate::security::write_rate::WriteRate;
use crate::tree_updates::{PublisherParts, PublisherSettings, PublisherThread};

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Limits on connections and requests.
    pub http: HttpLimits,
    /// Limits on packages.
    pub package: Limits,
    /// What one person may use.
    pub quotas: Quotas,
    /// Who may create namespaces.
    pub creation: NamespaceCreation,
    /// Settings of the tree and of the thread that writes it.
    pub publisher: PublisherSettings,
    /// The address at which people reach the registry.
    pub public_url: PublicUrl,
    /// How long a session lasts, in whole seconds.
    pub session_lifetime: Duration,
    /// Writes per minute of each person, or of each client without a credential.
    pub writes_per_minute: NonZeroU32,
    /// How long the response to a public write waits for the tree; zero for not at
    /// all.
    pub wait_timeout: Duration,
    /// Bytes of documents that are cached in memory; 0 for none.
    pub reads_memory: u64,
    /// Whether this process writes the tree. If not, reads are rendered.
    pub mirror: bool,
}

/// A running server. Only `dispatch`, `serve` and `routes` use it; everything
/// else is given the parts that it needs.
pub struct App {
    pub(crate) registry: Arc<Registry>,
    pub(crate) local: Arc<LocalStore>,
    pub(crate) authenticator: Authenticator,
    pub(crate) reader: Arc<TreeReader>,
    pub(crate) publisher: PublisherThread,
    pub(crate) downloads: Downloads,
    pub(crate) write_rate: WriteRate,
    pub(crate) sign_in: SignIn,
    pub(crate) uploads: UploadBudget,
    pub(crate) upload_places: UploadPlaces,
    /// Limits how many packages are unpacked at once. `uploads` does not count
    /// their content, which may be 200 times as large as the upload.
    pub(crate) unpacking: Arc<Semaphore>,
    pub(crate) settings: Settings,
}

impl App {
    /// Whether this process writes the tree.
    pub fn keeps_tree(&self) -> bool {
        self.publisher.progress().keeps_tree
    }

    /// Compares every file of the tree, and repairs what differs.
    pub fn repair_tree(&self) {
        self.publisher.repair();
    }

    /// Starts the background threads and, if this process writes the tree,
    /// brings the tree up to date.
    ///
    /// # Errors
    ///
    /// The operating system cannot start a thread.
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
        Ok(Arc::new(Self {
            authenticator: Authenticator {
                registry: Arc::clone(&registry),
                local: Arc::clone(&local),
                public_url: settings.public_url.clone(),
            },
            reader: Arc::new(TreeReader {
                public: registry.public(),
                store,
                search,
                tree,
                settings: tree_settings,
                signing: settings.publisher.signing.clone(),
                has_tree: settings.mirror,
                documents,
            }),
            publisher,
            downloads: Downloads::start(Arc::clone(&registry), Arc::clone(&local))?,
            write_rate: WriteRate::new(settings.writes_per_minute),
            sign_in: SignIn::new(Arc::clone(&registry), Arc::clone(&local), processors),
            upload_places: UploadPlaces::new(settings.http.uploads_per_person),
            uploads: UploadBudget::new(settings.http.uploads_total, settings.http.uploads),
            unpacking: Arc::new(Semaphore::new(processors)),
            registry,
            local,
            settings,
        }))
    }
}
