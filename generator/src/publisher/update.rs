//! Writes the documents that new rows and counters have outdated.

use registry::journal::Revision;

use super::batch::WriteOptions;
use super::document_writer::{DOCUMENTS_PER_STEP, DocumentWriter};
use super::outdated::KnownAnswers;
use super::{TreeError, TreePublisher};
use crate::address::{Document, Stage};
use crate::tree::{Cursor, Siblings, State, Verify};

/// After this many steps the next one is the last one, however much is left: a stream of changes
/// must not delay the head without end.
const MAX_STEPS: usize = 32;

/// What is left after a step.
enum Left {
    Nothing,
    Something,
}

impl TreePublisher {
    /// Brings the tree from the state `reached` to the catalog's state.
    pub(super) fn update(&mut self, report: &mut dyn FnMut(Revision)) -> Result<Revision, TreeError> {
        for number in 0.. {
            let is_over_limit = number >= MAX_STEPS;
            let done = self.step(is_over_limit, report);
            match done.inspect_err(|_| self.start_from(self.reached))? {
                Left::Something => {}
                Left::Nothing => break,
            }
        }
        Ok(self.reached.map_or(0, |reached| reached.revision))
    }

    /// Renders some outdated documents while the catalog is locked, in the order of writing, and
    /// writes them after unlocking it. The last step includes the head and everything that the head
    /// promises.
    fn step(&mut self, is_over_limit: bool, report: &mut dyn FnMut(Revision)) -> Result<Left, TreeError> {
        let options = self.options();
        let DocumentWriter { sources, settings, tree, .. } = &self.writer;
        // The index takes longer than everything else, so most of it is done without the lock.
        sources.search.follow(&sources.public);
        let catalog = sources.public.read();
        if !self.outdated.add_rows(sources, settings, &catalog)? {
            return Ok(Left::Something);
        }
        self.outdated.add_counters(settings, &catalog);
        let target = State::of(&catalog);
        let has_head = tree.tree().holds(catalog.feed().epoch()) == target && self.cursor.is_some();
        if self.answers == KnownAnswers::None && has_head && self.reached == Some(target) {
            self.answers = KnownAnswers::Present;
        }
        self.outdated.add_answers(sources, &catalog, self.answers, tree.tree())?;
        self.answers = KnownAnswers::AllBut;
        if self.outdated.len() == 0 && has_head {
            return Ok(Left::Nothing);
        }
        let is_last = is_over_limit || self.outdated.len() <= DOCUMENTS_PER_STEP;
        let limit = if is_last { usize::MAX } else { DOCUMENTS_PER_STEP };
        let mut documents = self.outdated.take(Stage::Head, limit);
        if is_last {
            // No unwritten document refers to the removed ones any more.
            documents.extend(std::mem::take(&mut self.outdated.removals));
            documents.extend([Document::Head]);
            documents.sort();
            documents.dedup();
        }
        let mut batch = self.writer.render(&catalog, &documents, options);
        if !is_last {
            self.outdated.removals.extend(batch.take_removals());
        }
        let epoch = catalog.feed().epoch().clone();
        drop(catalog);
        tree.make_folders()?;
        self.writer.write_and_follow(batch, &mut self.outdated, report)?;
        if is_last {
            self.reached = Some(target);
            self.finish(epoch, target)?;
            return Ok(Left::Nothing);
        }
        self.outdated.own_revision().into_iter().for_each(report);
        Ok(Left::Something)
    }

    /// Writes the outdated documents of [`Tier::Own`](crate::address::Tier). Returns the revision
    /// that they show. `None` if documents wait for removal.
    pub(super) fn update_own_documents(&mut self) -> Result<Option<Revision>, TreeError> {
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
        self.writer.tree.set_cursor(&cursor)?;
        self.cursor = Some(cursor);
        Ok(())
    }
}
