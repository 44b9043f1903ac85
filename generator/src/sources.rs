//! What documents are made from.

use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::PublicStore;
use registry::public::PublicCatalog;

use crate::search::Shared;
use crate::settings::TreeSettings;

/// One history as it is in memory, for all who render its documents. The
/// catalog's lock comes before the index's.
#[derive(Clone)]
pub struct Sources {
    /// The state that its rows make.
    pub public: Arc<RwLock<PublicCatalog>>,
    /// The index of the catalog's live skills.
    pub search: Arc<Shared>,
    /// The rows, and the packages that they name.
    pub store: Arc<dyn PublicStore>,
}

impl Sources {
    /// A catalog, an index of its own for it, and the rows that it was made from,
    /// for trees with these settings.
    pub fn new(
        public: Arc<RwLock<PublicCatalog>>,
        store: Arc<dyn PublicStore>,
        settings: &TreeSettings,
    ) -> Self {
        Self { public, search: Arc::new(Shared::new(settings.precompute)), store }
    }
}
