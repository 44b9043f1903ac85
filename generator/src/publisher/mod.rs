//! Writes the tree of a registry and keeps it up to date.
//!
//! A **rebuild** writes every document, part by part, and removes unknown files. In an empty output
//! folder it works out of sight. An **update** writes only what the rows and counters since the last
//! update have outdated. Both work in steps: a step renders some documents while the catalog is
//! locked, and writes them after unlocking it. The head comes last, with documents of the same
//! state.
//!
//! An update has two tiers. The documents of the changed skills are written first, and a write can
//! be answered then. Lists and everything else that shows several skills follow, for all changes of
//! that time together. A change of many skills follows with them, a few documents at a time, so that
//! nobody else waits for it.

mod answers;
mod batch;
mod document_writer;
mod expired_pieces;
mod initial_build;
mod outdated;
mod parallel;
mod pieces;
mod rebuild;
mod steps;
mod update;

use std::collections::BTreeSet;
use std::io;
use std::time::Instant;

use parking_lot::Mutex;
use registry::journal::{Epoch, JournalError, Revision};
use registry::public::DecodeError;

use crate::settings::TreeSettings;
use crate::tree::{Cursor, Failures, ForeignTree, LockedTree, State, Tree, Verify, boot_id};
use crate::{FORMAT, ShownLog, Sources};
use answers::KnownAnswers;
use document_writer::DocumentWriter;
pub use expired_pieces::Retention;
use outdated::Outdated;
use pieces::Expiry;

/// A tree that lost files while it was updated is rebuilt this often.
const MAX_ATTEMPTS: usize = 3;

/// With more outstanding rows, a rebuild needs less memory than an update.
const MAX_ROWS: usize = 10_000;

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
    #[error("cannot read or write the output folder")]
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

/// The rows that the documents of the changed skills show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnProgress {
    /// All rows up to this one, but the late ones.
    pub revision: Revision,
    /// Rows that change many skills or versions, or remove documents. Nobody else waits for them: they
    /// are shown when the lists are.
    pub late: BTreeSet<Revision>,
}

impl OwnProgress {
    /// Whether this row is shown.
    pub fn shows(&self, revision: Revision) -> bool {
        self.revision >= revision && !self.late.contains(&revision)
    }

    /// Whether all rows up to this one are shown.
    pub fn shows_all(&self, revision: Revision) -> bool {
        self.revision >= revision && self.late.first().is_none_or(|late| *late > revision)
    }
}

/// Keeps one tree up to date with its sources.
pub struct TreePublisher {
    writer: DocumentWriter,
    cursor: Option<Cursor>,
    /// The state up to which all documents but the head are written. `None`: a rebuild is due.
    reached: Option<State>,
    /// What has changed since `reached`, as far as it is not written.
    outdated: Outdated,
    answers: KnownAnswers,
    expiry: Expiry,
    /// Whether a checkpoint is signed that the tree does not show.
    has_other_checkpoint: bool,
    /// What the running update shows, to be signed.
    shown: Option<ShownLog>,
}

impl TreePublisher {
    /// Takes over a locked tree. `retention` limits how long expired pieces of the search index
    /// stay.
    pub fn new(sources: Sources, settings: TreeSettings, tree: LockedTree, retention: Retention) -> Self {
        let cursor = tree.cursor();
        // Without a cursor, a rebuild sets it.
        let time_offset = cursor.as_ref().map_or(0, |cursor| cursor.time_offset);
        let mut publisher = Self {
            writer: DocumentWriter { sources, settings, tree, time_offset, pieces: Mutex::default() },
            cursor: None,
            reached: None,
            outdated: Outdated::default(),
            answers: KnownAnswers::None,
            expiry: Expiry::new(retention),
            has_other_checkpoint: false,
            shown: None,
        };
        publisher.tree().show_notes(&publisher.writer.sources.signing);
        publisher.start_from(cursor.as_ref().and_then(Cursor::trusted));
        publisher.cursor = cursor;
        publisher
    }

    /// Continues with other sources or settings for the same tree.
    pub(crate) fn switch_to(&mut self, sources: Sources, settings: TreeSettings) {
        (self.writer.sources, self.writer.settings) = (sources, settings);
        self.distrust();
    }

    /// Writes the checkpoint again, because somebody else has signed another one.
    pub(crate) fn outdate_checkpoint(&mut self) {
        self.has_other_checkpoint = true;
    }

    /// Plans everything since a state again. `None`: a rebuild is due.
    fn start_from(&mut self, reached: Option<State>) {
        self.reached = reached;
        self.outdated = Outdated::since(reached.unwrap_or_default());
        self.answers = KnownAnswers::None;
    }

    /// The tree, for reading.
    pub fn tree(&self) -> &Tree {
        self.writer.tree.tree()
    }

    /// Brings the tree up to the catalog's last public revision, and returns that. After an error,
    /// the next call continues.
    pub fn catch_up(&mut self) -> Result<Revision, TreeError> {
        self.catch_up_with(&mut |_| {})
    }

    /// Like [`Self::catch_up`]. Calls `report` whenever documents of
    /// [`Tier::Own`](crate::address::Tier) are written, before all others are.
    pub fn catch_up_with(&mut self, report: &mut dyn FnMut(OwnProgress)) -> Result<Revision, TreeError> {
        self.has_other_checkpoint |= self.writer.sources.signing.take_news();
        for _ in 0..MAX_ATTEMPTS {
            if !self.fits() {
                self.distrust();
            }
            let mut verify = Verify::Size;
            if self.reached.is_none() || self.is_far()? {
                self.rebuild()?;
                verify = Verify::Content;
            }
            self.writer.pieces.get_mut().list(self.writer.tree.tree())?;
            let revision = self.update(report)?;
            self.expiry.after_head(self.writer.pieces.get_mut(), &self.writer.tree, verify)?;
            // Somebody may have removed files meanwhile: then the tree must be rebuilt.
            if self.tree().is_whole(&self.writer.settings) {
                return Ok(revision);
            }
        }
        Err(TreeError::Disturbed)
    }

    /// Writes the documents of the changed skills alone, but those of late rows. `None` if that needs
    /// [`Self::catch_up`], because the tree must be rebuilt.
    pub fn write_own_documents(&mut self) -> Result<Option<OwnProgress>, TreeError> {
        if self.reached.is_none() || self.is_far()? {
            return Ok(None);
        }
        let mut progress = None;
        let done = self.write_own(self.options(), &mut |own| progress = Some(own));
        done.inspect_err(|_| self.start_from(self.reached))?;
        Ok(progress)
    }

    /// Whether the catalog has rows that the tree's head does not include.
    pub fn lacks_rows(&self) -> bool {
        let revision = self.writer.sources.public.read().revision();
        self.reached.is_none_or(|reached| reached.revision != revision)
    }

    /// Whether the catalog has rows or counters that the tree's head does not include.
    pub fn is_behind(&self) -> bool {
        self.reached.is_none_or(|reached| reached != State::of(&self.writer.sources.public.read()))
    }

    /// Returns the last public revision if the tree is up to date with it. Reads only the head and
    /// a few files, and does not build the index.
    pub fn up_to_date_revision(&self) -> Option<Revision> {
        if self.cursor.is_none() || self.writer.tree.changes.is_changing() || !self.fits() {
            return None;
        }
        let catalog = self.writer.sources.public.read();
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
        self.start_from(None);
    }

    /// Removes up to a hundred expired pieces of the search index. Call it when nobody waits for
    /// the tree.
    pub fn expire(&mut self) -> Result<(), TreeError> {
        Ok(self.expiry.when_idle(Instant::now(), self.writer.pieces.get_mut(), &self.writer.tree)?)
    }

    /// Syncs everything written to stable storage.
    pub fn persist(&mut self) -> Result<(), TreeError> {
        match &mut self.cursor {
            Some(cursor) => Ok(self.writer.tree.persist(cursor)?),
            None => Ok(()),
        }
    }

    /// Whether the tree was made from this history with these settings.
    fn fits(&self) -> bool {
        let catalog = self.writer.sources.public.read();
        let of_cursor = |cursor: &Cursor| {
            cursor.epoch == *catalog.feed().epoch()
                && cursor.settings == self.writer.settings.digest()
                && cursor.format == FORMAT
                && State::of(&catalog).covers(cursor.state)
        };
        // Without a cursor, `reached` is the end of our own rebuild.
        self.tree().is_whole(&self.writer.settings) && self.cursor.as_ref().is_none_or(of_cursor)
    }

    /// The cursor of an unfinished tree in a state.
    fn cursor_at(&self, epoch: Epoch, state: State) -> Cursor {
        Cursor {
            epoch,
            state,
            durable: State::default(),
            settings: self.writer.settings.digest(),
            format: FORMAT,
            boot: boot_id().to_owned(),
            time_offset: self.writer.time_offset,
            is_complete: false,
        }
    }

    /// Whether so many rows are outstanding that a rebuild is better.
    fn is_far(&self) -> Result<bool, TreeError> {
        let from = self.outdated.state.revision;
        let distance = self.writer.sources.public.read().revision().saturating_sub(from);
        // Revisions count private rows too, so count the public ones.
        Ok(distance > MAX_ROWS as u64
            && self.writer.sources.store.public_since(from, MAX_ROWS + 1)?.len() > MAX_ROWS)
    }
}
