//! Keeping a tree up with a registry.
//!
//! Two ways lead to an up-to-date tree. A **rebuild** writes every document, part
//! by part, and removes what does not belong there (where nothing is there yet,
//! it does so out of sight); a **step** writes what the rows since the last one
//! have made stale. Both render under a read lock on
//! the catalog, for a few documents at a time, and write after letting go of
//! it; the head comes last, in a step whose documents are all of one state.

mod answers;
mod batch;
mod expired_pieces;
mod incremental;
mod initial_build;
mod parallel;
mod pieces;
mod progress;
mod rebuild;
mod write_order;

use std::io;
use std::time::Instant;

use parking_lot::Mutex;
use registry::journal::{JournalError, PublicRow, Revision};
use registry::public::{DecodeError, PublicCatalog};

use crate::render::RenderContext;
use crate::settings::TreeSettings;
use crate::tree::{Cursor, Failures, LockedTree, State, Tree, Verify};
use crate::{FORMAT, Sources};
use answers::Answers;
pub use expired_pieces::Retention;
use pieces::{Expiry, Pieces};

/// How often a tree is made whole again before someone else is to blame.
const ATTEMPTS: usize = 3;

/// How many rows one step takes at most: their documents (a hundred or so
/// each) are rendered under one lock and held in memory until written.
const ROWS: usize = 32;

/// Further behind than this many rows, a rebuild costs less than the steps.
const MAX_ROWS: usize = 2000;

/// Why a tree could not be brought up to date.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// Some files could not be written; all the others were, but the head.
    #[error(transparent)]
    Files(#[from] Failures),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A row cannot be understood.
    #[error(transparent)]
    Row(#[from] DecodeError),
    /// The tree cannot be read or its cursor not be kept.
    #[error("the output folder fails: {0}")]
    Io(#[from] io::Error),
    /// Files vanish while they are written.
    #[error("someone else removes files from the output folder: it has to be ours alone")]
    Disturbed,
}

/// A tree, the lock on it, and what it is made from.
pub struct TreePublisher {
    sources: Sources,
    settings: TreeSettings,
    tree: LockedTree,
    cursor: Option<Cursor>,
    /// Up to where all documents but the head are written. None: a rebuild is due.
    reached: Option<State>,
    pieces: Mutex<Pieces>,
    expiry: Expiry,
    answers: Mutex<Answers>,
}

impl TreePublisher {
    /// Takes over a locked tree. `retention` is how long pieces of the search index
    /// stay after the manifest has ceased to lead to them.
    pub fn new(sources: Sources, settings: TreeSettings, tree: LockedTree, retention: Retention) -> Self {
        let cursor = tree.cursor();
        let reached = cursor.as_ref().and_then(Cursor::trusted);
        let (pieces, answers, expiry) = (Mutex::default(), Mutex::default(), Expiry::new(retention));
        Self { sources, settings, tree, cursor, reached, pieces, expiry, answers }
    }

    /// Goes on with the same tree, made from something else: another history, or
    /// other settings.
    pub(crate) fn switch_to(&mut self, sources: Sources, settings: TreeSettings) {
        (self.sources, self.settings) = (sources, settings);
        self.answers = Mutex::default();
        self.reached = None;
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        self.tree.tree()
    }

    /// Brings the tree up to the catalog's last public revision, which is
    /// returned. After an error nothing is lost: the next call goes on.
    pub fn catch_up(&mut self) -> Result<Revision, TreeError> {
        for _ in 0..ATTEMPTS {
            if !self.fits() {
                self.reached = None;
            }
            let (from, verify) = match self.reached {
                Some(reached) if !self.is_far(reached.revision)? => (reached, Verify::Size),
                _ => (self.rebuild()?, Verify::Content),
            };
            self.pieces.get_mut().list(self.tree.tree())?;
            let revision = self.walk(from)?;
            self.expiry.after_head(self.pieces.get_mut(), &self.tree, verify)?;
            // Someone may have removed the tree while it was written: then it
            // is one again, but not all of it.
            if self.tree().is_whole() {
                return Ok(revision);
            }
        }
        Err(TreeError::Disturbed)
    }

    /// The last public revision, where the tree holds all that there is: bringing it up
    /// would write nothing. This reads the head, looks at a few files, and makes no index.
    pub fn up_to_date_revision(&self) -> Option<Revision> {
        if self.cursor.is_none() || !self.fits() {
            return None;
        }
        let catalog = self.sources.public.read();
        let target = State::of(&catalog);
        let is_even = self.reached == Some(target) && self.tree().holds(catalog.feed().epoch()) == target;
        is_even.then_some(target.revision)
    }

    /// Generates the whole tree anew: writes what differs, removes what does
    /// not belong there.
    pub fn generate(&mut self) -> Result<Revision, TreeError> {
        self.reached = None;
        self.catch_up()
    }

    /// Removes pieces of the search index that have to go: a hundred of them. For when
    /// whoever waited for the tree has been told; where there are none, nothing is read.
    pub fn expire(&mut self) -> Result<(), TreeError> {
        Ok(self.expiry.when_told(Instant::now(), self.pieces.get_mut(), &self.tree)?)
    }

    /// Brings all that was written to stable storage.
    pub fn persist(&mut self) -> Result<(), TreeError> {
        match &mut self.cursor {
            Some(cursor) => Ok(self.tree.persist(cursor)?),
            None => Ok(()),
        }
    }

    /// Whether the tree is one of this history and these settings.
    fn fits(&self) -> bool {
        let catalog = self.sources.public.read();
        let of_cursor = |cursor: &Cursor| {
            cursor.epoch == *catalog.feed().epoch()
                && cursor.settings == self.settings.digest()
                && cursor.format == FORMAT
                && State::of(&catalog).covers(cursor.state)
        };
        // Without a cursor `reached` is the end of our own rebuild.
        self.tree().is_whole() && self.cursor.as_ref().is_none_or(of_cursor)
    }

    fn context<'a>(&'a self, catalog: &'a PublicCatalog) -> RenderContext<'a> {
        RenderContext {
            catalog,
            search: &self.sources.search,
            store: &*self.sources.store,
            settings: &self.settings,
        }
    }

    /// Whether steps from there would cost more than a rebuild.
    fn is_far(&self, from: Revision) -> Result<bool, TreeError> {
        let distance = self.sources.public.read().revision().saturating_sub(from);
        // Revisions count private rows too, so only looking tells.
        Ok(distance > MAX_ROWS as u64
            && self.sources.store.public_since(from, MAX_ROWS + 1)?.len() > MAX_ROWS)
    }

    /// The public rows after `from` that the catalog has taken in, at most
    /// `limit` of them. (The journal may be ahead of the catalog.)
    fn rows(
        &self,
        catalog: &PublicCatalog,
        from: Revision,
        limit: usize,
    ) -> Result<Vec<PublicRow>, TreeError> {
        if from >= catalog.revision() {
            return Ok(Vec::new());
        }
        let mut rows = self.sources.store.public_since(from, limit)?;
        rows.retain(|row| row.revision <= catalog.revision());
        Ok(rows)
    }
}
