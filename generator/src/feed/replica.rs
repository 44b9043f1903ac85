//! The state that the verified part of a feed makes.

use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{Epoch, PublicStore};
use registry::names::PublicUrl;
use registry::public::{DecodedRow, PublicCatalog};

use super::FeedError;
use super::head::FeedHead;
use super::kept::{Kept, Place};
use super::page::{Expected, parse};
use super::source::Source;
use super::store::FeedStore;
use crate::Sources;
use crate::search::Shared;
use crate::settings::TreeSettings;
use crate::tree::Tree;

/// What a follower has of its own, whatever history it follows.
#[derive(Clone)]
pub(super) struct Own {
    /// Its tree.
    pub tree: Tree,
    /// Where people reach that. None: where they reach the source, as far as they
    /// know.
    pub public_url: Option<PublicUrl>,
}

/// One history, as far as it is verified.
pub(super) struct Replica {
    pub source: Arc<dyn Source>,
    pub kept: Arc<Kept>,
    pub public: Arc<RwLock<PublicCatalog>>,
    search: Arc<Shared>,
    pub store: Arc<FeedStore>,
    /// The source's.
    pub settings: TreeSettings,
    own: Own,
    /// The head that was verified last. None: nothing was.
    pub head: Option<FeedHead>,
}

impl Replica {
    /// A history before its first row.
    pub fn empty(epoch: Epoch, source: &Arc<dyn Source>, kept: &Arc<Kept>, own: &Own) -> Self {
        Self {
            source: Arc::clone(source),
            kept: Arc::clone(kept),
            public: Arc::new(RwLock::new(PublicCatalog::new(epoch.clone()))),
            search: Arc::default(),
            store: Arc::new(FeedStore::new(epoch, Arc::clone(source), Arc::clone(kept), own.tree.clone())),
            settings: TreeSettings::default(),
            own: own.clone(),
            head: None,
        }
    }

    /// What was verified and kept before; where that is nothing or damaged, a
    /// history before its first row.
    pub fn restore(source: &Arc<dyn Source>, kept: &Arc<Kept>, own: &Own) -> Self {
        let whole = || {
            let (head, settings) = kept.head()?;
            let head = FeedHead::parse(&head).ok()?;
            let mut replica = Self::empty(head.epoch.clone(), source, kept, own);
            replica.settings = head.parse_settings(&settings).ok()?;
            replica.take_in(&head).ok()?;
            let last = replica.public.read().feed().last().map(|page| page.digest);
            // It covers the last page, that one the page before, and so on.
            (last == head.sha256).then_some(())?;
            // Without them, or with older ones, they are read from the source.
            if let Some(counters) = kept.counters(&head.epoch) {
                replica.public.write().adopt_counters(counters);
            }
            replica.head = Some(head);
            Some(replica)
        };
        whole().unwrap_or_else(|| Self::empty(Epoch::new(), source, kept, own))
    }

    /// What the tree is made from.
    pub fn sources(&mut self) -> Sources {
        if self.search.words() != self.settings.precompute {
            self.search = Arc::new(Shared::new(self.settings.precompute));
        }
        let (public, search) = (Arc::clone(&self.public), Arc::clone(&self.search));
        Sources { public, search, store: Arc::clone(&self.store) as Arc<dyn PublicStore> }
    }

    /// What the tree is made with: the source's settings, but for the address under
    /// which people reach it.
    pub fn tree_settings(&self) -> TreeSettings {
        let mut settings = self.settings.clone();
        if let Some(url) = &self.own.public_url {
            settings.public_url = Some(url.clone());
        }
        settings
    }

    /// What the follower has of its own.
    pub fn own(&self) -> &Own {
        &self.own
    }

    /// The history's name; empty where there is none yet.
    pub fn epoch(&self) -> &str {
        self.head.as_ref().map_or("", |head| &head.epoch)
    }

    /// Applies the rows up to `head` that are new. Their pages are kept.
    pub fn take_in(&mut self, head: &FeedHead) -> Result<(), FeedError> {
        let damaged = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let (own, first) = {
            let catalog = self.public.read();
            (catalog.revision(), catalog.feed().pages().max(1))
        };
        for number in first..=head.pages {
            let text = self.kept.page(&head.epoch, number)?;
            let text = text.ok_or_else(|| damaged(format!("page {number} is gone")))?;
            let previous = self.public.read().feed().page(number - 1).map(|page| page.digest);
            let expected = Expected { number, epoch: &head.epoch, previous };
            for found in parse(&text, &expected).map_err(damaged)? {
                let row = found.row;
                if row.revision <= own || row.revision > head.revision {
                    continue;
                }
                let decoded = DecodedRow::decode(&row).map_err(|why| damaged(why.to_string()))?;
                let place = Place { page: number, start: found.start, length: row.json.len() };
                // The catalog last: what it has taken in is read from the store.
                self.store.push(&decoded, place);
                self.public.write().apply(&row, decoded);
            }
        }
        Ok(())
    }
}
