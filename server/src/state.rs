//! What every handler works with.

use std::num::NonZeroU32;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use generator::search::SharedIndex;
use generator::settings::TreeSettings;
use generator::tree::Tree;
use generator::{Retention, Sources};
use registry::Registry;
use registry::access::Creation;
use registry::journal::PublicStore;
use registry::local::LocalStore;
use registry::names::PublicUrl;
use registry::package::Limits;
use tokio::sync::Semaphore;

use crate::document_cache::DocumentCache;
use crate::downloads::Downloads;
use crate::limits::HttpLimits;
use crate::multipart::UploadBudget;
use crate::publishing::{CounterTicks, PublisherSettings, PublisherThread};
use crate::sign_in::SignIn;
use crate::write_rate::WriteRate;

/// What the operator has decided.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The bounds of the HTTP edge.
    pub http: HttpLimits,
    /// The bounds of a package.
    pub package: Limits,
    /// Who may make namespaces.
    pub creation: Creation,
    /// What the tree depends on.
    pub tree: TreeSettings,
    /// When counters are published.
    pub ticks: CounterTicks,
    /// How long superseded pieces of the search index stay in the tree.
    pub search_retention: Retention,
    /// Where people reach the registry.
    pub public_url: PublicUrl,
    /// How long a session lasts, in whole seconds.
    pub session_lifetime: Duration,
    /// How many writes a minute each credential, or else each client, may make.
    pub writes_per_minute: NonZeroU32,
    /// How long the answer to a public write waits for the tree; zero: not at
    /// all.
    pub wait_timeout: Duration,
    /// How many bytes of documents are held in memory; 0: none.
    pub reads_memory: u64,
    /// Whether this process keeps the tree. Without, reads are rendered.
    pub mirror: bool,
}

/// A running registry as the handlers see it.
pub struct App {
    /// The registry.
    pub registry: Arc<Registry>,
    /// What is neither journal nor public.
    pub local: Arc<LocalStore>,
    /// The public half of the journal.
    pub store: Arc<dyn PublicStore>,
    /// The index of the skills that search finds.
    pub search: Arc<SharedIndex>,
    /// The tree, for reading.
    pub tree: Tree,
    /// The documents that are held in memory.
    pub documents: Arc<DocumentCache>,
    /// What follows the journal, and the tree where there is one.
    pub publisher: PublisherThread,
    /// What counts the packages that are downloaded here.
    pub downloads: Downloads,
    /// How often each credential, or else each client, writes.
    pub write_rate: WriteRate,
    /// Passwords that are being checked.
    pub sign_in: SignIn,
    /// Room for uploads as they arrive.
    pub uploads: UploadBudget,
    /// The right to hold a package unpacked. The budget of uploads does not
    /// count what is in them, which may be two hundred times as much.
    pub unpacking: Arc<Semaphore>,
    /// What the operator has decided.
    pub settings: Settings,
}

impl App {
    /// Puts a server together and, where it keeps a tree, brings that up to
    /// date.
    ///
    /// Errors: the system cannot start the threads that keep the tree and count.
    pub fn start(
        registry: Arc<Registry>,
        local: Arc<LocalStore>,
        tree: Tree,
        settings: Settings,
    ) -> std::io::Result<Arc<Self>> {
        let kept = settings.mirror.then(|| tree.clone());
        let documents = DocumentCache::new(settings.reads_memory);
        let documents = Arc::new(if settings.tree.gzip { documents } else { documents.without_siblings() });
        let Sources { search, store, .. } = Sources::new(registry.public(), registry.store(), &settings.tree);
        let publishing = PublisherSettings {
            tree: settings.tree.clone(),
            ticks: settings.ticks,
            search_retention: settings.search_retention,
        };
        let publisher = PublisherThread::start(
            (Arc::clone(&registry), Arc::clone(&local), Arc::clone(&search)),
            kept,
            publishing,
            Arc::clone(&documents),
        )?;
        let downloads = Downloads::start(Arc::clone(&registry), Arc::clone(&local))?;
        let write_rate = WriteRate::new(settings.writes_per_minute);
        let uploads = UploadBudget::new(settings.http.uploads_total, settings.http.uploads);
        // Unpacking keeps a processor busy: more at once would cost memory only.
        let processors = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let unpacking = Arc::new(Semaphore::new(processors));
        let sign_in = SignIn::new(processors);
        Ok(Arc::new(Self {
            registry,
            local,
            store,
            search,
            tree,
            documents,
            publisher,
            downloads,
            write_rate,
            sign_in,
            uploads,
            unpacking,
            settings,
        }))
    }
}
