//! Writes the documents that new rows and counters have outdated.
//!
//! An update first makes a **plan** from one state of the catalog: all steps, in the order of writing, the head
//! last. Then a loop carries the steps out. Everything that shows several skills is rendered while the plan is
//! made, so it shows that one state. The search index, its precomputed answers and the documents of late rows
//! take longer, so they are rendered in their turn.
//!
//! Before each step, the loop writes the own documents of skills that changed meanwhile, because somebody waits
//! for them. No step of the plan refers to them: it is older. And no step writes an own document from the plan's
//! state, which could replace a newer one.

use std::io;
use std::sync::Arc;

use registry::journal::{Epoch, Revision};
use registry::public::PublicCatalog;

use super::answers::{ANSWERS_PER_STEP, KnownAnswers};
use super::batch::{WriteBatch, WriteOptions};
use super::document_writer::DocumentWriter;
use super::steps::{StepWriter, WriteStep};
use super::{OwnProgress, TreeError, TreePublisher};
use crate::address::{Document, LogTile, Stage, Tier, exists};
use crate::tree::{Cursor, Siblings, State, Verify};

/// Own documents that are rendered under one lock of the catalog. New changes wait for that.
const OWN_DOCUMENTS_PER_LOCK: usize = 256;

/// Documents of late rows in one step.
const LATE_PER_STEP: usize = 64;

/// Gets how far the own documents are, whenever some are written.
type Report<'a> = &'a mut dyn FnMut(OwnProgress);

/// The outcome of planning.
enum Planned {
    /// The tree shows the catalog's state, with this revision.
    UpToDate(Revision),
    Update(UpdatePlan),
}

/// Everything that brings the tree to one state.
struct UpdatePlan {
    epoch: Epoch,
    target: State,
    steps: Vec<Step>,
    /// Carries out the steps that write what is rendered.
    writing: StepWriter,
}

/// A part of an update, so short that the own documents of other skills can wait for its end.
enum Step {
    /// Renders own documents of late rows from the newest state, and writes them.
    Late(Vec<Document>),
    /// Renders precomputed answers from the newest state, and writes them.
    Answers(Vec<Arc<str>>),
    /// Writes documents of the plan's state that show several skills, or removes documents.
    Write(WriteStep),
}

/// What an update has to write, as found under one lock of the catalog.
struct Due {
    epoch: Epoch,
    target: State,
    /// Own documents: those of rows that came just before, and those with new counters.
    own: WriteBatch,
    /// Own documents of late rows.
    late: Vec<Document>,
    /// Documents that show several skills, and those to remove.
    shared: Vec<Document>,
    /// Whether the head shows the state, and nothing is outdated.
    is_even: bool,
}

impl TreePublisher {
    /// Brings the tree from the state `reached` to the catalog's state. Returns the revision of the head.
    pub(super) fn update(&mut self, report: Report<'_>) -> Result<Revision, TreeError> {
        let options = self.options();
        let done = self.make_plan(options, report).and_then(|planned| match planned {
            Planned::UpToDate(revision) => Ok(revision),
            Planned::Update(plan) => self.carry_out(plan, options, report),
        });
        match (&done, self.shown.take()) {
            (Ok(_), Some(shown)) => self.writer.sources.signing.show(shown),
            (Ok(_), None) => {}
            (Err(_), _) => self.start_from(self.reached),
        }
        done
    }

    /// Plans an update.
    fn make_plan(&mut self, options: WriteOptions, report: Report<'_>) -> Result<Planned, TreeError> {
        self.write_own(options, report)?;
        let sources = self.writer.sources.clone();
        let catalog = self.writer.lock_planned(&sources.public, &mut self.outdated)?;
        self.shown = sources.signing.shown_log(&catalog);
        let due = self.find_due(&catalog, options)?;
        let has_answers = self.answers == KnownAnswers::AllBut;
        if due.is_even && has_answers && sources.search.as_it_is().is_current(&catalog) {
            return Ok(Planned::UpToDate(due.target.revision));
        }
        let mut shared = self.writer.render(&catalog, &due.shared, options);
        let mut pending = sources.search.follow(&catalog);
        drop(catalog);
        // Before newer ones of the same skills are written.
        let mut own = self.writer.write_all(due.own);
        while pending.write_next() {
            own = own.and_then(|()| self.write_own(options, report));
        }
        // Others wait for the index, so an error waits until it is finished.
        let (index, stale) = pending.finish();
        own?;
        shared.put_index(&index, &self.writer.pieces);
        let answers = self.answers.outdated(&index, stale, self.tree())?;
        drop(index);
        self.answers = KnownAnswers::AllBut;
        if due.is_even && answers.is_empty() {
            return Ok(Planned::UpToDate(due.target.revision));
        }
        let (write, writing) = shared.into_steps();
        let late = due.late.chunks(LATE_PER_STEP).map(|few| Step::Late(few.to_vec()));
        let answers = answers.chunks(ANSWERS_PER_STEP).map(|few| Step::Answers(few.to_vec()));
        let steps = late.chain(answers).chain(write.into_iter().map(Step::Write)).collect();
        Ok(Planned::Update(UpdatePlan { epoch: due.epoch, target: due.target, steps, writing }))
    }

    /// Takes everything that is outdated.
    fn find_due(&mut self, catalog: &PublicCatalog, options: WriteOptions) -> Result<Due, TreeError> {
        let writer = &self.writer;
        self.outdated.add_counters(&writer.settings, catalog);
        if self.has_other_checkpoint {
            self.outdated.extend(documents_of_checkpoint(writer, catalog)?);
        }
        let (epoch, target) = (catalog.feed().epoch().clone(), State::of(catalog));
        let has_head = writer.tree.tree().holds(&epoch) == target
            && self.cursor.is_some()
            && !writer.tree.changes.is_changing();
        if self.answers == KnownAnswers::None && has_head && self.reached == Some(target) {
            self.answers = KnownAnswers::Present;
        }
        let own = writer.render_own(catalog, &mut self.outdated, options, usize::MAX);
        let mut shared = self.outdated.take(Stage::Head, usize::MAX);
        let (late, mut removals) = (self.outdated.take_late(), std::mem::take(&mut self.outdated.removals));
        // What has come back is written with the row that brought it. Here it could replace a newer one.
        removals.retain(|document| {
            document.stage().tier() == Tier::Shared || !exists(writer.context(catalog), document)
        });
        let is_even =
            own.is_empty() && shared.is_empty() && late.is_empty() && removals.is_empty() && has_head;
        // No unwritten document refers to the removed ones any more.
        shared.extend(removals);
        shared.extend([Document::Checkpoint, Document::Head]);
        shared.extend(writer.sources.signing.has_statement(catalog).then_some(Document::EpochStatement));
        // It follows with the pieces that it names, when the index is finished.
        shared.retain(|document| *document != Document::SearchManifest);
        Ok(Due { epoch, target, own, late, shared, is_even })
    }

    /// Carries out a plan. A document that cannot be written keeps back the head alone.
    fn carry_out(
        &mut self,
        plan: UpdatePlan,
        options: WriteOptions,
        report: Report<'_>,
    ) -> Result<Revision, TreeError> {
        let UpdatePlan { epoch, target, steps, mut writing } = plan;
        self.writer.tree.make_folders()?;
        self.writer.tree.changes.begin()?;
        let all = steps.len();
        let mut progress = self.writer.tree.progress.begin("steps", || all);
        for step in steps {
            self.write_own(options, report)?;
            match step {
                Step::Late(documents) => {
                    self.outdated.queue(documents);
                    self.write_own(options, report)?;
                }
                Step::Answers(queries) => self.write_answers(&queries, options)?,
                Step::Write(step) => writing.carry_out(step, &self.writer, &self.writer.tree),
            }
            progress.add(1);
        }
        let failures = writing.failures();
        if !failures.0.is_empty() {
            return Err(failures.into());
        }
        self.reached = Some(target);
        self.outdated.reached(target.revision);
        self.has_other_checkpoint = false;
        self.finish(epoch, target)?;
        Ok(target.revision)
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier), but those of late rows.
    pub(super) fn write_own(&mut self, options: WriteOptions, report: Report<'_>) -> Result<(), TreeError> {
        let public = Arc::clone(&self.writer.sources.public);
        loop {
            let catalog = self.writer.lock_planned(&public, &mut self.outdated)?;
            let (outdated, limit) = (&mut self.outdated, OWN_DOCUMENTS_PER_LOCK);
            let batch = self.writer.render_own(&catalog, outdated, options, limit);
            drop(catalog);
            self.writer.write_all(batch)?;
            if let Some(progress) = self.outdated.own_progress() {
                report(progress);
                return Ok(());
            }
        }
    }

    /// Renders answers and writes them, after the own documents that they refer to.
    fn write_answers(&mut self, queries: &[Arc<str>], options: WriteOptions) -> Result<(), TreeError> {
        let public = Arc::clone(&self.writer.sources.public);
        let catalog = self.writer.lock_planned(&public, &mut self.outdated)?;
        let mut batch = self.writer.render_own(&catalog, &mut self.outdated, options, usize::MAX);
        self.writer.render_answers(&catalog, queries, &mut batch);
        drop(catalog);
        self.writer.write_all(batch)
    }

    /// How an update writes documents. After another boot, times and lengths of files prove nothing
    /// about their bytes.
    pub(super) fn options(&self) -> WriteOptions {
        let is_of_this_boot = self.cursor.as_ref().is_some_and(Cursor::is_of_this_boot);
        let siblings = match is_of_this_boot {
            _ if !self.writer.settings.gzip => Siblings::None,
            true => Siblings::Timed,
            false => Siblings::Compared,
        };
        // Without a cursor, our own rebuild has just checked all pieces.
        let is_known = is_of_this_boot || self.cursor.is_none();
        let verify = if is_known { Verify::Size } else { Verify::Content };
        WriteOptions { siblings, verify }
    }

    /// Stores the cursor after the head was written.
    fn finish(&mut self, epoch: Epoch, target: State) -> Result<(), TreeError> {
        let durable = self.cursor.as_ref().map_or_else(State::default, |cursor| cursor.durable);
        let cursor = Cursor { durable, is_complete: true, ..self.cursor_at(epoch, target) };
        // Own documents of later rows may have been written in between. The next head has these rows.
        if self.outdated.state.revision <= target.revision {
            self.writer.tree.changes.end()?;
        }
        self.writer.tree.set_cursor(&cursor)?;
        self.cursor = Some(cursor);
        Ok(())
    }
}

/// The checkpoint, and the partial tiles that the tree's one and the new one refer to.
fn documents_of_checkpoint(writer: &DocumentWriter, catalog: &PublicCatalog) -> io::Result<Vec<Document>> {
    let shown = writer.tree.tree().signed_size()?;
    let signed = writer.sources.signing.signed_size(catalog.log());
    let tiles = [shown, signed].into_iter().flatten().flat_map(LogTile::partial_ones);
    Ok(tiles.map(Document::LogTile).chain([Document::Checkpoint, Document::EpochStatement]).collect())
}
