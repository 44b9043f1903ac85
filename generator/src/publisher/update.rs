//! Writes the documents that new rows and counters have outdated.

use std::io;

use registry::journal::Revision;
use registry::public::PublicCatalog;

use super::answers::{ANSWERS_PER_LOCK, KnownAnswers};
use super::batch::WriteOptions;
use super::document_writer::DocumentWriter;
use super::{OwnProgress, TreeError, TreePublisher};
use crate::address::{Document, LogTile, Stage, Tier, exists};
use crate::tree::{Cursor, Siblings, State, Verify};

/// Documents of late rows that are rendered while the catalog is locked.
const LATE_PER_LOCK: usize = 64;

impl TreePublisher {
    /// Brings the tree from the state `reached` to the catalog's state.
    pub(super) fn update(&mut self, report: &mut dyn FnMut(OwnProgress)) -> Result<Revision, TreeError> {
        let done = self.round(report);
        match (&done, self.shown.take()) {
            (Ok(_), Some(shown)) => self.writer.sources.signing.show(shown),
            (Ok(_), None) => {}
            (Err(_), _) => self.start_from(self.reached),
        }
        done
    }

    /// Writes all outdated documents, in the order of writing. Returns the revision of the head.
    ///
    /// Everything that shows several skills is rendered from one state of the catalog, the head
    /// included. The search index, the precomputed answers and the documents of late rows take longer
    /// than all else, so they are made after the catalog is unlocked. Own documents of skills that
    /// change meanwhile are written in between: nothing that is older refers to them.
    fn round(&mut self, report: &mut dyn FnMut(OwnProgress)) -> Result<Revision, TreeError> {
        let (options, writer) = (self.options(), &self.writer);
        let DocumentWriter { sources, settings, tree, .. } = writer;
        writer.write_own(&mut self.outdated, options)?.into_iter().for_each(&mut *report);
        let catalog = loop {
            let catalog = sources.public.read();
            if self.outdated.add_rows(sources, settings, &catalog)? {
                break catalog;
            }
        };
        self.shown = sources.signing.shown_log(&catalog);
        // Those of rows that came this moment, with the catalog locked: there may always be more.
        writer.write_own_of(&catalog, &mut self.outdated, options)?;
        self.outdated.own_progress().into_iter().for_each(&mut *report);
        self.outdated.add_counters(settings, &catalog);
        if self.has_other_checkpoint {
            self.outdated.extend(documents_of_checkpoint(writer, &catalog)?);
        }
        let (epoch, target) = (catalog.feed().epoch().clone(), State::of(&catalog));
        let has_head = tree.tree().holds(&epoch) == target && self.cursor.is_some() && !tree.is_changing();
        if self.answers == KnownAnswers::None && has_head && self.reached == Some(target) {
            self.answers = KnownAnswers::Present;
        }
        // Those with new counters.
        let own = writer.render_own(&catalog, &mut self.outdated, options, usize::MAX);
        let mut documents = self.outdated.take(Stage::Head, usize::MAX);
        let (sweep, mut removals) = (self.outdated.take_sweep(), std::mem::take(&mut self.outdated.removals));
        // What has come back is written with the row that brought it. Here it could replace a newer one.
        removals.retain(|document| {
            document.stage().tier() == Tier::Shared || !exists(writer.context(&catalog), document)
        });
        let is_even =
            own.is_empty() && documents.is_empty() && sweep.is_empty() && removals.is_empty() && has_head;
        let has_answers = self.answers == KnownAnswers::AllBut;
        if is_even && has_answers && sources.search.as_it_is().is_current(&catalog) {
            return Ok(target.revision);
        }
        // No unwritten document refers to the removed ones any more.
        documents.extend(removals);
        documents.extend([Document::Checkpoint, Document::Head]);
        documents.extend(sources.signing.has_statement(&catalog).then_some(Document::EpochStatement));
        documents.retain(|document| *document != Document::SearchManifest);
        let mut batch = writer.render(&catalog, &documents, options);
        let pending = sources.search.follow(&catalog);
        drop(catalog);
        // Before newer ones of the same skills are written in between. If it fails, the index is finished anyway.
        let mut followed = writer.write_all(own);
        let (index, stale) =
            pending.finish(&mut || writer.follow(&mut self.outdated, options, report, &mut followed));
        followed?;
        batch.put_index(&index, &writer.pieces);
        let answers = self.answers.outdated(&index, stale, tree.tree())?;
        drop(index);
        self.answers = KnownAnswers::AllBut;
        if is_even && answers.is_empty() {
            return Ok(target.revision);
        }
        tree.make_folders()?;
        for few in sweep.chunks(LATE_PER_LOCK) {
            let render = |catalog: &PublicCatalog| writer.render(catalog, few, options);
            writer.write_after_own(&mut self.outdated, options, report, render)?;
        }
        let mut steps = tree.progress.begin("answers of the search", || answers.len());
        for few in answers.chunks(ANSWERS_PER_LOCK) {
            let render = |catalog: &PublicCatalog| writer.render_answers(catalog, few, options);
            writer.write_after_own(&mut self.outdated, options, report, render)?;
            steps.add(few.len());
        }
        drop(steps);
        writer.write_and_follow(batch, &mut self.outdated, report)?;
        self.reached = Some(target);
        self.outdated.reached(target.revision);
        self.has_other_checkpoint = false;
        self.finish(epoch, target)?;
        Ok(target.revision)
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier), but those of late rows.
    /// Returns how far they are.
    pub(super) fn update_own_documents(&mut self) -> Result<Option<OwnProgress>, TreeError> {
        let options = self.options();
        let done = self.writer.write_own(&mut self.outdated, options);
        done.inspect_err(|_| self.start_from(self.reached))
    }

    /// How an update writes documents. After another boot, times and lengths of files prove nothing
    /// about their bytes.
    fn options(&self) -> WriteOptions {
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
    fn finish(&mut self, epoch: String, target: State) -> Result<(), TreeError> {
        let durable = self.cursor.as_ref().map_or_else(State::default, |cursor| cursor.durable);
        let cursor = Cursor { durable, is_complete: true, ..self.cursor_at(epoch, target) };
        // Own documents of later rows may have been written in between. The next head has these rows.
        if self.outdated.state.revision <= target.revision {
            self.writer.tree.end_change()?;
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
