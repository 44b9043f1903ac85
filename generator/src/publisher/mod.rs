//! Writes the tree of a registry and keeps it up to date.
//!
//! A **rebuild** writes every document, part by part, and removes unknown files. In an empty output
//! folder it works out of sight. An **incremental** update writes only what the rows since the last
//! update have outdated. Both render a few documents at a time while the catalog is locked, and
//! write them after unlocking it. The head comes last, with documents of the same state.

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
use registry::journal::{Epoch, JournalError, PublicRow, Revision};
use registry::public::{DecodeError, PublicCatalog};

use crate::render::RenderContext;
use crate::settings::TreeSettings;
use crate::tree::{Cursor, Failures, ForeignTree, LockedTree, State, Tree, Verify, boot_id};
use crate::{FORMAT, Sources};
use answers::Answers;
use batch::{WriteBatch, WriteOptions};
pub use expired_pieces::Retention;
use pieces::{Expiry, Pieces};

/// A tree that lost files while it was updated is rebuilt this often.
const MAX_ATTEMPTS: usize = 3;

/// Rows per step. A step renders their documents, about a hundred per row, under one lock and holds
/// them in memory.
const ROWS_PER_STEP: usize = 32;

/// With more outstanding rows, a rebuild is cheaper than steps.
const MAX_STEP_ROWS: usize = 2000;

/// A tree could not be updated.
#[derive(Debug, thiserror::Error)]
pub enum TreeError {
    /// Some files could not be written. All others were, except the head.
    #[error(transparent)]
    Files(#[from] Failures),
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A row cannot be decoded.
    #[error(transparent)]
    Row(#[from] DecodeError),
    /// The tree cannot be read, or its cursor cannot be stored.
    #[error("cannot read or write the output folder: {0}")]
    Io(#[from] io::Error),
    /// The tree belongs to someone else.
    #[error(transparent)]
    Foreign(#[from] ForeignTree),
    /// Files disappear while they are written.
    #[error(
        "another process removes files from the output folder: use a folder that no other program writes to"
    )]
    Disturbed,
}

/// Keeps one tree up to date with its sources.
pub struct TreePublisher {
    sources: Sources,
    settings: TreeSettings,
    tree: LockedTree,
    cursor: Option<Cursor>,
    /// The time offset of all files that are written now.
    time_offset: u64,
    /// The state up to which all documents but the head are written. `None`: a rebuild is due.
    reached: Option<State>,
    pieces: Mutex<Pieces>,
    expiry: Expiry,
    answers: Mutex<Answers>,
}

impl TreePublisher {
    /// Takes over a locked tree. `retention` limits how long expired pieces of the search index
    /// stay.
    pub fn new(sources: Sources, settings: TreeSettings, tree: LockedTree, retention: Retention) -> Self {
        let cursor = tree.cursor();
        let reached = cursor.as_ref().and_then(Cursor::trusted);
        // Without a cursor, a rebuild sets it.
        let time_offset = cursor.as_ref().map_or(0, |cursor| cursor.time_offset);
        let (pieces, answers, expiry) = (Mutex::default(), Mutex::default(), Expiry::new(retention));
        Self { sources, settings, tree, cursor, time_offset, reached, pieces, expiry, answers }
    }

    /// Continues with other sources or settings for the same tree.
    pub(crate) fn switch_to(&mut self, sources: Sources, settings: TreeSettings) {
        (self.sources, self.settings) = (sources, settings);
        self.answers = Mutex::default();
        self.reached = None;
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        self.tree.tree()
    }

    /// Brings the tree up to the catalog's last public revision, and returns that. After an error,
    /// the next call continues.
    pub fn catch_up(&mut self) -> Result<Revision, TreeError> {
        for _ in 0..MAX_ATTEMPTS {
            if !self.fits() {
                self.reached = None;
            }
            let (from, verify) = match self.reached {
                Some(reached) if !self.is_far(reached.revision)? => (reached, Verify::Size),
                _ => (self.rebuild()?, Verify::Content),
            };
            self.pieces.get_mut().list(self.tree.tree())?;
            let revision = self.update(from)?;
            self.expiry.after_head(self.pieces.get_mut(), &self.tree, verify)?;
            // Somebody may have removed files meanwhile: then the tree must be rebuilt.
            if self.tree().is_whole() {
                return Ok(revision);
            }
        }
        Err(TreeError::Disturbed)
    }

    /// Returns the last public revision if the tree is up to date with it. Reads only the head and
    /// a few files, and does not build the index.
    pub fn up_to_date_revision(&self) -> Option<Revision> {
        if self.cursor.is_none() || !self.fits() {
            return None;
        }
        let catalog = self.sources.public.read();
        let target = State::of(&catalog);
        let is_even = self.reached == Some(target) && self.tree().holds(catalog.feed().epoch()) == target;
        is_even.then_some(target.revision)
    }

    /// Rebuilds the whole tree: writes what differs and removes unknown files.
    pub fn generate(&mut self) -> Result<Revision, TreeError> {
        self.distrust();
        self.catch_up()
    }

    /// Makes the next update compare every file.
    pub fn distrust(&mut self) {
        self.reached = None;
    }

    /// Removes up to a hundred expired pieces of the search index. Call it when nobody waits for
    /// the tree.
    pub fn expire(&mut self) -> Result<(), TreeError> {
        Ok(self.expiry.when_idle(Instant::now(), self.pieces.get_mut(), &self.tree)?)
    }

    /// Syncs everything written to stable storage.
    pub fn persist(&mut self) -> Result<(), TreeError> {
        match &mut self.cursor {
            Some(cursor) => Ok(self.tree.persist(cursor)?),
            None => Ok(()),
        }
    }

    /// Whether the tree was made from this history with these settings.
    fn fits(&self) -> bool {
        let catalog = self.sources.public.read();
        let of_cursor = |cursor: &Cursor| {
            cursor.epoch == *catalog.feed().epoch()
                && cursor.settings == self.settings.digest()
                && cursor.format == FORMAT
                && State::of(&catalog).covers(cursor.state)
        };
        // Without a cursor, `reached` is the end of our own rebuild.
        self.tree().is_whole() && self.cursor.as_ref().is_none_or(of_cursor)
    }

    /// The cursor of an unfinished tree in a state.
    fn cursor_at(&self, epoch: Epoch, state: State) -> Cursor {
        Cursor {
            epoch,
            state,
            durable: State::default(),
            settings: self.settings.digest(),
            format: FORMAT,
            boot: boot_id(),
            time_offset: self.time_offset,
            is_complete: false,
        }
    }

    fn batch(&self, catalog: &PublicCatalog, options: WriteOptions) -> WriteBatch<'_> {
        WriteBatch::new(catalog, self.time_offset, options, &self.pieces)
    }

    fn context<'a>(&'a self, catalog: &'a PublicCatalog) -> RenderContext<'a> {
        RenderContext {
            catalog,
            search: &self.sources.search,
            store: &*self.sources.store,
            settings: &self.settings,
        }
    }

    /// Whether steps would cost more than a rebuild.
    fn is_far(&self, from: Revision) -> Result<bool, TreeError> {
        let distance = self.sources.public.read().revision().saturating_sub(from);
        // Revisions count private rows too, so count the public ones.
        Ok(distance > MAX_STEP_ROWS as u64
            && self.sources.store.public_since(from, MAX_STEP_ROWS + 1)?.len() > MAX_STEP_ROWS)
    }

    /// At most `limit` public rows after `from` that the catalog includes. (The journal may be
    /// ahead of the catalog.)
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
