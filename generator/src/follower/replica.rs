//! The state of a source, as far as it is verified.

use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{Epoch, PublicStore};
use registry::names::PublicUrl;
use registry::public::{DecodedRow, PublicCatalog};

use super::cache::{FeedCache, RowPosition};
use super::error::FollowError;
use super::source::FeedSource;
use super::store::FeedStore;
use crate::Sources;
use crate::feed::head::FeedHead;
use crate::feed::page::{ExpectedPage, parse};
use crate::search::SharedIndex;
use crate::settings::TreeSettings;
use crate::tree::Tree;

/// The follower's own tree and address, which are the same for every epoch.
#[derive(Clone)]
pub(super) struct LocalTree {
    pub tree: Tree,
    /// Address of the tree. None: the source's settings decide.
    pub public_url: Option<PublicUrl>,
}

/// One epoch, as far as it is verified.
pub(super) struct Replica {
    pub source: Arc<dyn FeedSource>,
    pub cache: Arc<FeedCache>,
    pub public: Arc<RwLock<PublicCatalog>>,
    search: Arc<SharedIndex>,
    pub store: Arc<FeedStore>,
    /// The source's settings.
    pub settings: TreeSettings,
    local: LocalTree,
    /// The last verified head. None if there was none yet.
    pub head: Option<FeedHead>,
}

impl Replica {
    /// An epoch before its first row.
    pub fn empty(
        epoch: Epoch,
        source: &Arc<dyn FeedSource>,
        cache: &Arc<FeedCache>,
        local: &LocalTree,
    ) -> Self {
        let store = FeedStore::new(epoch.clone(), Arc::clone(source), Arc::clone(cache), local.tree.clone());
        Self {
            source: Arc::clone(source),
            cache: Arc::clone(cache),
            public: Arc::new(RwLock::new(PublicCatalog::new(epoch))),
            search: Arc::default(),
            store: Arc::new(store),
            settings: TreeSettings::default(),
            local: local.clone(),
            head: None,
        }
    }

    /// Restores the cached state. If it is missing or damaged, starts empty.
    pub fn restore(source: &Arc<dyn FeedSource>, cache: &Arc<FeedCache>, local: &LocalTree) -> Self {
        let cached = || {
            let (head, settings) = cache.head()?;
            let head = FeedHead::parse(&head).ok()?;
            let mut replica = Self::empty(head.epoch.clone(), source, cache, local);
            replica.settings = head.parse_settings(&settings).ok()?;
            replica.apply_pages(&head).ok()?;
            let last = replica.public.read().feed().last().map(|page| page.digest);
            // This digest covers the last page, which has the digest of the page before, and
            // so on.
            (last == head.sha256).then_some(())?;
            // Missing or older counters are downloaded again.
            if let Some(counters) = cache.counters(&head.epoch) {
                replica.public.write().adopt_counters(counters);
            }
            replica.head = Some(head);
            Some(replica)
        };
        cached().unwrap_or_else(|| Self::empty(Epoch::new(), source, cache, local))
    }

    /// What the tree is rendered from.
    pub fn sources(&mut self) -> Sources {
        if self.search.max_words() != self.settings.precompute {
            self.search = Arc::new(SharedIndex::new(self.settings.precompute));
        }
        let (public, search) = (Arc::clone(&self.public), Arc::clone(&self.search));
        Sources { public, search, store: Arc::clone(&self.store) as Arc<dyn PublicStore> }
    }

    /// The settings of the tree: the source's, except for the address.
    pub fn tree_settings(&self) -> TreeSettings {
        let mut settings = self.settings.clone();
        if let Some(url) = &self.local.public_url {
            settings.public_url = Some(url.clone());
        }
        settings
    }

    /// Starts to follow another epoch of the source.
    pub fn of_epoch(&self, epoch: &Epoch) -> Self {
        Self::empty(epoch.clone(), &self.source, &self.cache, &self.local)
    }

    /// The name of the epoch. Empty if no head was verified yet.
    pub fn epoch(&self) -> &str {
        self.head.as_ref().map_or("", |head| &head.epoch)
    }

    /// Applies the new rows up to `head` from cached pages.
    pub fn apply_pages(&mut self, head: &FeedHead) -> Result<(), FollowError> {
        let damaged = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let (applied, first) = {
            let catalog = self.public.read();
            (catalog.revision(), catalog.feed().pages().max(1))
        };
        for number in first..=head.pages {
            let text = self.cache.page(&head.epoch, number)?;
            let text = text.ok_or_else(|| damaged(format!("page {number} is missing")))?;
            let previous = self.public.read().feed().page(number - 1).map(|page| page.digest);
            let expected = ExpectedPage { number, epoch: &head.epoch, previous };
            for page_row in parse(&text, &expected).map_err(damaged)? {
                let row = page_row.row;
                if row.revision <= applied || row.revision > head.revision {
                    continue;
                }
                let decoded = DecodedRow::decode(&row).map_err(|why| damaged(why.to_string()))?;
                let (start, length) = (page_row.start, row.json.len());
                // The catalog is last, because its rows are read from the store.
                self.store.push(&decoded, RowPosition { page: number, start, length });
                self.public.write().apply(&row, decoded);
            }
        }
        Ok(())
    }
}
