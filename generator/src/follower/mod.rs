//! Followers: trees that are made from the feed of another tree, its packages and its
//! settings, without a journal.
//!
//! A follower trusts nothing that a [`FeedSource`] has. The head has the digest of the last
//! page, each page that of the page before, and the rows those of their packages. Only what
//! matches to the last byte gets into the catalog that the tree is rendered from. What was
//! verified is kept beside the tree, so that the next run continues there.

mod cache;
mod checkpoint;
mod counters;
mod download;
mod error;
mod feed_store;
mod history;
mod limits;
mod options;
mod packages;
mod replica;
mod selected;
mod source;

use std::sync::Arc;
use std::time::Duration;

use registry::journal::{Epoch, Revision};

use self::cache::{CheckpointFolder, FeedCache};
use self::checkpoint::{Roots, Trust};
pub use self::error::FollowError;
pub use self::limits::SourceLimits;
pub use self::options::FollowOptions;
use self::replica::{Replica, SELECTION};
use self::selected::settings_of;
use self::source::FeedReader;
pub use self::source::{FeedSource, state_of};
use crate::address::Document;
use crate::feed::{parse_head, parse_settings};
use crate::selection::Chosen;
use crate::settings::TreeSettings;
use crate::tree::{LockedTree, State};
use crate::{Sources, TreePublisher};
use registry::api::public::Head;

/// How often a feed is read from its head while the source changes.
const MAX_ATTEMPTS: usize = 5;

/// How often the notes of an unchanged head are read again: for half a minute, by default.
const COSIGNATURE_LOOKS: u8 = 6;

/// How long a source may take from its checkpoint to its head, before it is read again.
const UNFINISHED_PAUSE: Duration = Duration::from_millis(20);

/// Follows a source with a tree.
pub struct Follower {
    replica: Replica,
    publisher: TreePublisher,
    options: FollowOptions,
    trust: Trust,
    /// Whether the replica was compared with a trusted checkpoint.
    is_trusted: bool,
    /// How often the source is still asked for cosignatures of the same head.
    looks: u8,
    /// The history and state of the tree before this process wrote to it.
    found: Option<(Epoch, State)>,
}

impl Follower {
    /// Opens a follower with its cache. It does not read from the source yet.
    pub fn open(
        source: Arc<dyn FeedSource>,
        tree: LockedTree,
        options: FollowOptions,
    ) -> Result<Self, FollowError> {
        let found = tree.record().map(|record| (record.epoch, record.state));
        let folder = CheckpointFolder { root: tree.checkpoints_folder() };
        let trust = Trust { keys: options.keys.clone(), policy: options.policy.clone(), folder };
        let cache = FeedCache::at(tree.feed_folder())?;
        let (own, progress) = (tree.tree().clone(), tree.progress.clone());
        let feed = Arc::new(FeedReader { source, cache, tree: own, progress });
        let chosen = Chosen { selection: options.selection.clone(), at: (options.now)() };
        let mut replica = Replica::restore(&feed, &options.selection)
            .unwrap_or_else(|| Replica::empty(Epoch::new(), &feed, chosen));
        let settings = settings_of(&replica, &options);
        let publisher = TreePublisher::new(replica.sources(), settings, tree, options.retention);
        let is_trusted = trust.keys.is_empty();
        Ok(Self { replica, publisher, options, trust, is_trusted, found, looks: 0 })
    }

    /// The history that the tree shows, and the last revision. None before the first one.
    pub fn history(&self) -> Option<(&Epoch, Revision)> {
        match &self.replica.head {
            Some(head) => Some((&head.epoch, head.revision)),
            None => self.found.as_ref().map(|(epoch, state)| (epoch, state.revision)),
        }
    }

    /// Brings the tree up to the source. Returns the last public revision in the tree.
    ///
    /// An error loses nothing, and nothing that was refused gets into the tree. The next call
    /// tries again.
    pub fn catch_up(&mut self) -> Result<Revision, FollowError> {
        let updated = self.update_replica();
        if self.replica.head.is_none() {
            return updated.map(|()| 0);
        }
        // What was verified before is published even if the source is invalid now.
        let revision = self.publisher.catch_up()?;
        self.replica.cache_notes()?;
        self.replica.feed.cache.remove_packages()?;
        updated.map(|()| revision)
    }

    /// Generates every file of the tree again, as it is at the source. Returns the last public
    /// revision in the tree.
    pub fn generate(&mut self) -> Result<Revision, FollowError> {
        self.update_replica()?;
        let revision = self.publisher.generate()?;
        self.replica.cache_notes()?;
        self.replica.feed.cache.remove_packages()?;
        Ok(revision)
    }

    /// What the tree is rendered from, and its settings.
    pub fn sources(&mut self) -> (Sources, TreeSettings) {
        (self.replica.sources(), settings_of(&self.replica, &self.options))
    }

    /// See [`TreePublisher::distrust`].
    pub fn distrust(&mut self) {
        self.publisher.distrust();
    }

    /// See [`TreePublisher::expire`].
    pub fn expire(&mut self) -> Result<(), FollowError> {
        Ok(self.publisher.expire()?)
    }

    /// Syncs all written files to the disk.
    pub fn persist(&mut self) -> Result<(), FollowError> {
        Ok(self.publisher.persist()?)
    }

    /// Downloads, verifies and adopts everything new at the source.
    fn update_replica(&mut self) -> Result<(), FollowError> {
        let mut attempt = 1;
        loop {
            let (text, head) = self.read_head()?;
            self.check_history(&head)?;
            let is_known = self.replica.head.as_ref() == Some(&head) && !self.is_due();
            let has_notes =
                is_known && self.is_trusted && !self.replica.awaits_notes() && !self.looks_again();
            if has_notes && self.replica.has_counters_of(&head) {
                return Ok(());
            }
            // Rows are adopted even if the counters change all the time.
            let adopted = match is_known {
                true if has_notes => Ok(()),
                true => self.adopt_notes(&head),
                false => self.adopt_head(&text, head.clone()),
            };
            match adopted.and_then(|()| self.adopt_counters(&head)) {
                Err(FollowError::Unfinished { .. }) if attempt < MAX_ATTEMPTS => {
                    std::thread::sleep(UNFINISHED_PAUSE);
                    attempt += 1;
                }
                // The source may have changed while it was read.
                Err(FollowError::Refused { .. }) if attempt < MAX_ATTEMPTS && self.read_head()?.0 != text => {
                    attempt += 1;
                }
                // Rows that were new in this attempt may be older than a version has to be.
                Ok(()) if attempt < MAX_ATTEMPTS && self.is_due() => attempt += 1,
                done => return done,
            }
        }
    }

    /// Reads the head of the source. Returns its text too.
    fn read_head(&self) -> Result<(String, Head), FollowError> {
        self.replica.feed.read_as(&Document::Head, parse_head)
    }

    /// Adopts the counters that a head names.
    fn adopt_counters(&mut self, head: &Head) -> Result<(), FollowError> {
        if self.replica.has_counters_of(head) {
            return Ok(());
        }
        let counters = self.replica.download_counters(head)?;
        self.replica.feed.cache.set_counters(&head.epoch, &counters)?;
        let is_later = {
            let mut catalog = self.replica.public.write();
            let is_later = counters.generation() > catalog.counter_generation();
            catalog.adopt_counters(counters);
            is_later
        };
        if !is_later {
            // It is unknown what changed, so every document is compared.
            self.switch_publisher();
        }
        Ok(())
    }

    /// Whether to read the notes again, because witnesses answer after the head was written.
    fn looks_again(&mut self) -> bool {
        let looks = self.looks > 0 && self.replica.has_checkpoint();
        self.looks = self.looks.saturating_sub(1);
        looks
    }

    /// Adopts what was signed after the head was written, or is to be checked with the trusted keys for the
    /// first time.
    fn adopt_notes(&mut self, head: &Head) -> Result<(), FollowError> {
        let (feed, notes) = (&self.replica.feed, self.read_notes(head)?);
        self.trust.check_retired(feed, notes.checkpoint.as_ref(), &self.replica.settings.keys)?;
        let accepted = self.trust.accepted(&head.epoch)?.map(|accepted| accepted.checkpoint.size);
        let sizes = notes.sizes().into_iter().chain(accepted).chain([head.log.size]);
        let roots = Roots::after(self.replica.public.read().log(), sizes);
        self.trust.check_rows(feed, head, &notes, &roots)?;
        if let Some(signed) = &notes.checkpoint {
            self.trust.accept(&head.epoch, signed)?;
        }
        self.is_trusted = true;
        if self.replica.set_notes(notes) {
            self.publisher.outdate_checkpoint();
        }
        Ok(())
    }

    /// Adopts the state that a head names, after all of it is verified.
    fn adopt_head(&mut self, text: &str, head: Head) -> Result<(), FollowError> {
        let notes = self.read_notes(&head)?;
        // The settings of another epoch could say that no key is retired.
        self.trust.check_retired(
            &self.replica.feed,
            notes.checkpoint.as_ref(),
            &self.replica.settings.keys,
        )?;
        let (_, settings) =
            self.replica.feed.read_as(&Document::Settings, |text| parse_settings(&head, text))?;
        let selection = self.selection_of(&settings)?;
        // Another epoch is read from its start, while the current one stays as it is. So is everything if
        // other versions are selected.
        let is_read_again =
            head.epoch != self.replica.epoch() || selection != self.replica.chosen.selection || self.is_due();
        let chosen = Chosen { selection, at: (self.options.now)() };
        let mut other = is_read_again.then(|| Replica::empty(head.epoch.clone(), &self.replica.feed, chosen));
        let replica = other.as_mut().unwrap_or(&mut self.replica);
        replica.download(&head, &settings, &self.options.limits, &notes, &self.trust)?;
        if let Some(signed) = &notes.checkpoint {
            self.trust.accept(&head.epoch, signed)?;
        }
        replica.feed.cache.set_head(text, &settings.to_json())?;
        replica.feed.cache.set_note(SELECTION, serde_json::to_string(&replica.chosen).ok().as_deref())?;
        replica.apply_pages(&head)?;
        let has_other_settings = settings != replica.settings;
        replica.settings = settings;
        replica.head = Some(head);
        if replica.set_notes(notes) {
            self.publisher.outdate_checkpoint();
        }
        self.is_trusted = true;
        self.looks = COSIGNATURE_LOOKS;
        let is_other = other.is_some();
        if let Some(other) = other {
            if other.epoch() != self.replica.epoch() {
                // The next history is refused again.
                self.options.accepts_new_history = false;
            }
            self.replica = other;
        }
        if is_other || has_other_settings {
            self.switch_publisher();
            self.replica.feed.cache.remove_other_epochs(self.replica.epoch())?;
        }
        Ok(())
    }

    /// Makes the publisher write the replica's state, and compare every document.
    fn switch_publisher(&mut self) {
        let settings = settings_of(&self.replica, &self.options);
        self.publisher.switch_to(self.replica.sources(), settings);
    }
}
