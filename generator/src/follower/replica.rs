//! The state of a source, as far as it is verified.

use std::io;
use std::sync::Arc;

use parking_lot::RwLock;
use registry::journal::{Epoch, PublicStore};
use registry::public::{DecodedRow, PublicCatalog, PublicChange, Skill};
use registry::time::Timestamp;
use registry::transparency_log::Checkpoint;
use registry::with_causes;

use super::cache::RowPosition;
use super::error::FollowError;
use super::feed_store::FeedStore;
use super::limits::{MadeCount, StoredBytes, files_of, files_of_skill};
use super::source::FeedReader;
use crate::feed::page::{ExpectedPage, parse};
use crate::feed::{parse_head, parse_settings};
use crate::search::SharedIndex;
use crate::selection::{Chosen, Selection, Taken};
use crate::settings::TreeSettings;
use crate::{SignedCheckpoint, SignedNotes, SignedStatement, Signing, Sources};
use registry::api::public::Head;

/// The cached note about what is selected.
pub(super) const SELECTION: &str = "selection";

/// One epoch, as far as it is verified.
pub(super) struct Replica {
    pub feed: Arc<FeedReader>,
    pub public: Arc<RwLock<PublicCatalog>>,
    search: Arc<SharedIndex>,
    store: Arc<FeedStore>,
    /// What the source has signed.
    signed: Arc<RwLock<SignedNotes>>,
    /// The source's settings.
    pub settings: TreeSettings,
    /// The last verified head. None if there was none yet.
    pub head: Option<Head>,
    /// The bytes that its rows and packages need.
    pub bytes: StoredBytes,
    /// Its rows, and the files that they make.
    pub count: MadeCount,
    /// What the tree shows of it.
    pub chosen: Chosen,
    /// When the next version is old enough to be shown. None if no version waits.
    pub due: Option<Timestamp>,
}

impl Replica {
    /// An epoch before its first row.
    pub fn empty(epoch: Epoch, feed: &Arc<FeedReader>, chosen: Chosen) -> Self {
        Self {
            feed: Arc::clone(feed),
            public: Arc::new(RwLock::new(PublicCatalog::new(epoch.clone()))),
            search: Arc::default(),
            store: Arc::new(FeedStore::new(epoch, Arc::clone(feed))),
            signed: Arc::default(),
            settings: TreeSettings::default(),
            head: None,
            bytes: StoredBytes::default(),
            count: MadeCount::default(),
            chosen,
            due: None,
        }
    }

    /// Restores the cached state. None if it is missing or damaged, or of another selection than `own`.
    pub fn restore(feed: &Arc<FeedReader>, own: &Selection) -> Option<Self> {
        let (head, settings) = feed.cache.head()?;
        let head = parse_head(&head).ok()?;
        let settings = parse_settings(&head, &settings).ok()?;
        let chosen: Chosen = serde_json::from_str(&feed.cache.note(SELECTION)?).ok()?;
        let is_same = chosen.selection == *settings.partial.as_ref().unwrap_or(own);
        (is_same && (settings.partial.is_none() || own.is_all())).then_some(())?;
        let mut replica = Self::empty(head.epoch.clone(), feed, chosen);
        replica.settings = settings;
        replica.apply_pages(&head).ok()?;
        let last = replica.public.read().feed().last().map(|page| page.digest);
        // This digest covers the last page, which has the digest of the page before, and so on.
        (last == head.sha256).then_some(())?;
        // Missing or older counters are downloaded again.
        if let Some(counters) = feed.cache.counters(&head.epoch) {
            replica.public.write().adopt_counters(counters);
        }
        // It may be older than the head, but then covers the first rows.
        let checkpoint = feed.cache.note("checkpoint").and_then(|text| {
            let checkpoint = Checkpoint::read_unverified(text.as_bytes()).ok()?;
            Some(SignedCheckpoint { checkpoint, text })
        });
        let statement = feed.cache.note("epoch").and_then(|text| SignedStatement::read(text, &[]).ok());
        replica.set_notes(SignedNotes { checkpoint, statement });
        replica.head = Some(head);
        Some(replica)
    }

    /// What the tree is rendered from.
    pub fn sources(&mut self) -> Sources {
        if self.search.max_words() != self.settings.precompute {
            self.search = Arc::new(SharedIndex::new(self.settings.precompute));
        }
        let (public, search) = (Arc::clone(&self.public), Arc::clone(&self.search));
        Sources {
            public,
            search,
            store: Arc::clone(&self.store) as Arc<dyn PublicStore>,
            signing: Signing::Source(Arc::clone(&self.signed)),
        }
    }

    /// Replaces what the source has signed. Returns whether it is something else.
    pub fn set_notes(&self, signed: SignedNotes) -> bool {
        let mut current = self.signed.write();
        let is_other = current.texts() != signed.texts();
        *current = signed;
        is_other
    }

    /// Whether the source has a checkpoint.
    pub fn has_checkpoint(&self) -> bool {
        self.signed.read().checkpoint.is_some()
    }

    /// The source's statement about the epoch.
    pub fn statement(&self) -> Option<SignedStatement> {
        self.signed.read().statement.clone()
    }

    /// Whether a backup was restored, and the statement about it is missing here.
    pub fn lacks_statement(&self) -> bool {
        self.signed.read().statement.is_none() && self.public.read().is_restored()
    }

    /// Whether the source may have a note about the same head that is missing here, because
    /// another process signs later.
    pub fn awaits_notes(&self) -> bool {
        let size = self.signed.read().checkpoint.as_ref().map(|signed| signed.checkpoint.size);
        let signs = self.settings.keys.iter().any(|key| key.retired.is_none());
        let all = self.head.as_ref().map(|head| head.log.size);
        if size.is_some() { size < all || self.lacks_statement() } else { signs }
    }

    /// Stores the notes in the cache, after the tree has them.
    pub fn cache_notes(&self) -> io::Result<()> {
        let signed = self.signed.read();
        for (name, text) in ["checkpoint", "epoch"].into_iter().zip(signed.texts()) {
            if text != self.feed.cache.note(name).as_deref() {
                self.feed.cache.set_note(name, text)?;
            }
        }
        Ok(())
    }

    /// The name of the epoch. Empty if no head was verified yet.
    pub fn epoch(&self) -> &str {
        self.head.as_ref().map_or("", |head| &head.epoch)
    }

    /// Applies the new rows up to `head` from cached pages.
    pub fn apply_pages(&mut self, head: &Head) -> Result<(), FollowError> {
        let damaged = |why: String| io::Error::new(io::ErrorKind::InvalidData, why);
        let (applied, first) = {
            let catalog = self.public.read();
            (catalog.revision(), catalog.feed().pages().max(1))
        };
        for number in first..=head.pages {
            let text = self.feed.cache.page(&head.epoch, number)?;
            let text = text.ok_or_else(|| damaged(format!("page {number} is missing")))?;
            let previous = self.public.read().feed().page(number - 1).map(|page| page.digest);
            let expected = ExpectedPage { number, epoch: &head.epoch, previous };
            for page_row in parse(&text, &expected).map_err(damaged)? {
                let row = page_row.row;
                if row.revision <= applied || row.revision > head.revision {
                    continue;
                }
                let decoded = DecodedRow::decode(&row).map_err(|why| damaged(with_causes(&why)))?;
                let taken = self.chosen.selection.takes(&decoded, &self.public.read(), self.chosen.at);
                if let Taken::From(at) = taken {
                    self.due = Some(self.due.map_or(at, |due| due.min(at)));
                }
                self.bytes.add_row(&row.json);
                self.count.rows += 1;
                if taken == Taken::Yes {
                    let catalog = self.public.read();
                    count(&mut self.bytes, &mut self.count, &self.settings, &catalog, &decoded.change);
                }
                let (start, length) = (page_row.start, row.json.len());
                // The catalog is last, because its rows are read from the store.
                self.store.push(&decoded, RowPosition { page: number, start, length });
                match taken {
                    Taken::Yes => self.public.write().apply(&row, decoded),
                    Taken::No | Taken::From(_) => self.public.write().skip(&row, &decoded),
                }
            }
        }
        Ok(())
    }
}

/// Counts the bytes of the packages that the tree has because of the next row, and its files.
fn count(
    bytes: &mut StoredBytes,
    count: &mut MadeCount,
    settings: &TreeSettings,
    catalog: &PublicCatalog,
    change: &PublicChange,
) {
    let files = |skill: &Skill| files_of_skill(skill.versions.len(), settings);
    match change {
        PublicChange::SkillRemoved(name) => {
            if let Some(skill) = catalog.skill(&name.coordinate()) {
                bytes.remove_skill(skill);
                count.files = count.files.saturating_sub(files(skill));
            }
        }
        PublicChange::SkillRestored(name) => {
            if let Some(skill) = catalog.removed(&name.coordinate()) {
                bytes.add_skill(skill);
                count.files += files(skill);
            }
        }
        PublicChange::Published(published) => {
            bytes.add_version(published);
            let is_new = catalog.skill(&published.coordinate()).is_none();
            count.files += files_of(change, is_new, settings);
        }
        _ => count.files += files_of(change, false, settings),
    }
}
