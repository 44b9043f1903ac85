//! Following another tree: the same tree is made again from its feed, its
//! packages and its settings, without a journal.
//!
//! Nothing that a [`Source`] says is believed. The head names the digest of the
//! last page, each page that of the page before, and the rows the digests of
//! their packages; only what fits together to the last byte is taken into the
//! catalog from which the tree is rendered. What was found to fit is kept
//! beside the tree (`kept`), so that a follower goes on where it was.

mod counters;
mod head;
mod kept;
mod packages;
mod page;
mod reading;
mod replica;
mod source;
mod store;

use std::io;
use std::sync::Arc;

use registry::journal::Revision;
use registry::names::PublicUrl;

use crate::address::Document;
use crate::tree::LockedTree;
use crate::{Retention, TreeError, TreePublisher};

use head::FeedHead;
use kept::Kept;
use replica::{Own, Replica};
pub use source::Source;

/// How often a feed is read from its head while that moves on meanwhile.
const ATTEMPTS: usize = 5;

/// Why a tree is not up with the one it follows.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// What the source says is not to be believed, or it says nothing. The tree
    /// stays as it is.
    #[error("{file} of {name} {why}")]
    Refused {
        /// The source.
        name: String,
        /// The file that is wrong.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// What is kept beside the tree cannot be read or written.
    #[error("what is kept of the feed beside the tree fails: {0}")]
    Kept(#[from] io::Error),
    /// The tree cannot be written.
    #[error(transparent)]
    Tree(#[from] TreeError),
}

impl FeedError {
    fn refused(source: &dyn Source, document: &Document, why: impl Into<String>) -> Self {
        Self::Refused { name: source.name(), file: document.name(), why: why.into() }
    }
}

/// A tree that follows another one.
pub struct Following {
    source: Arc<dyn Source>,
    kept: Arc<Kept>,
    replica: Replica,
    mirror: TreePublisher,
}

impl Following {
    /// Takes over a locked tree, and what is known of the source from before.
    /// The source is not asked yet. `retention` is how long superseded pieces of
    /// the search index stay, `public_url` where people reach this tree; without, it
    /// says what the source says.
    pub fn start(
        source: Arc<dyn Source>,
        tree: LockedTree,
        retention: Retention,
        public_url: Option<PublicUrl>,
    ) -> Result<Self, FeedError> {
        let kept = Arc::new(Kept::at(tree.feed_folder())?);
        let own = Own { tree: tree.tree().clone(), public_url };
        let mut replica = Replica::restore(&source, &kept, &own);
        let mirror = TreePublisher::new(replica.sources(), replica.tree_settings(), tree, retention);
        Ok(Self { source, kept, replica, mirror })
    }

    /// Reads what is new and brings the tree up to it. Returns the last public
    /// revision in the tree.
    ///
    /// After an error nothing is lost, and nothing that was refused is in the
    /// tree: the next call tries again.
    pub fn look(&mut self) -> Result<Revision, FeedError> {
        let learned = self.learn();
        if self.replica.head.is_none() {
            return learned.map(|()| 0);
        }
        // What was verified before stands, whatever the source says today.
        let revision = self.mirror.catch_up()?;
        self.kept.forget_packages()?;
        learned.map(|()| revision)
    }

    /// The same, but every file of the tree is made anew.
    pub fn generate(&mut self) -> Result<Revision, FeedError> {
        self.learn()?;
        let revision = self.mirror.generate()?;
        self.kept.forget_packages()?;
        Ok(revision)
    }

    /// What [`TreePublisher::expire`] does.
    pub fn expire(&mut self) -> Result<(), FeedError> {
        Ok(self.mirror.expire()?)
    }

    /// What [`TreePublisher::write_answers`] does.
    pub fn write_answers(&mut self) -> Result<bool, FeedError> {
        Ok(self.mirror.write_answers()?)
    }

    /// Brings all that was written to stable storage.
    pub fn persist(&mut self) -> Result<(), FeedError> {
        Ok(self.mirror.persist()?)
    }

    /// Reads and checks what the source has that is not known yet.
    fn learn(&mut self) -> Result<(), FeedError> {
        let mut attempt = 1;
        loop {
            let (text, head) = FeedHead::read(&*self.source)?;
            let is_known = self.replica.head.as_ref() == Some(&head);
            if is_known && self.replica.has_counters_of(&head) {
                return Ok(());
            }
            // The rows are taken in even while the counters move on.
            let adopted = if is_known { Ok(()) } else { self.adopt(&text, head.clone()) };
            match adopted.and_then(|()| self.count(&head)) {
                // It may have been written to while it was read.
                Err(FeedError::Refused { .. })
                    if attempt < ATTEMPTS && FeedHead::read(&*self.source)?.0 != text =>
                {
                    attempt += 1;
                }
                done => return done,
            }
        }
    }

    /// Takes over the counters that a head tells of.
    fn count(&mut self, head: &FeedHead) -> Result<(), FeedError> {
        if self.replica.has_counters_of(head) {
            return Ok(());
        }
        let counters = self.replica.read_counters(head)?;
        self.kept.set_counters(&head.epoch, &counters)?;
        let is_later = {
            let mut catalog = self.replica.public.write();
            let is_later = counters.generation() > catalog.counter_generation();
            catalog.adopt_counters(counters);
            is_later
        };
        if !is_later {
            // Nobody can tell what they changed: all is looked at.
            self.mirror.switch_to(self.replica.sources(), self.replica.tree_settings());
        }
        Ok(())
    }

    /// Makes a head's state the one that the tree is made from: when all of it
    /// is verified, and not before.
    fn adopt(&mut self, text: &str, head: FeedHead) -> Result<(), FeedError> {
        // Another history is read from its beginning, beside the one there is.
        let mut other = (head.epoch != self.replica.epoch())
            .then(|| Replica::empty(head.epoch.clone(), &self.source, &self.kept, self.replica.own()));
        let replica = other.as_mut().unwrap_or(&mut self.replica);
        let settings = replica.read(&head, self.mirror.tree())?;
        self.kept.set_head(text, &settings.to_json())?;
        replica.take_in(&head)?;
        let has_other_settings = settings != replica.settings;
        replica.settings = settings;
        replica.head = Some(head);
        let is_other = other.is_some();
        if let Some(other) = other {
            self.replica = other;
        }
        if is_other || has_other_settings {
            self.mirror.switch_to(self.replica.sources(), self.replica.tree_settings());
            self.kept.forget_pages_but(self.replica.epoch())?;
        }
        Ok(())
    }
}
