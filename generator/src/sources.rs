//! The data that documents are rendered from.

use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use crate::search::SharedIndex;
use crate::settings::TreeSettings;
use crate::signing::Signing;

/// One history in memory, shared by everything that renders its documents.
///
/// Lock the catalog before the index.
#[derive(Clone)]
pub struct Sources {
    /// The catalog after all rows so far.
    pub public: Arc<RwLock<PublicCatalog>>,
    /// The search index of the catalog's live skills.
    pub search: Arc<SharedIndex>,
    /// The journal's public rows and the packages they name.
    pub store: Arc<dyn PublicStore>,
    /// The signer of the checkpoints of the log.
    pub signing: Signing,
}

impl Sources {
    /// Creates an index for `public`, for trees with these settings. `store` holds the rows that
    /// the catalog was built from.
    pub fn new(
        public: Arc<RwLock<PublicCatalog>>,
        store: Arc<dyn PublicStore>,
        settings: &TreeSettings,
    ) -> Self {
        let search = Arc::new(SharedIndex::new(settings.precompute));
        Self { public, search, store, signing: Signing::Unsigned }
    }
}
