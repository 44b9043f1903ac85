//! Rebuilds the tree: writes every document, part by part.

use std::ops::RangeInclusive;

use registry::journal::Epoch;

use super::answers::KnownAnswers;
use super::batch::WriteOptions;
use super::document_writer::DocumentWriter;
use super::outdated::Outdated;
use super::{TreeError, TreePublisher};
use crate::FORMAT;
use crate::address::{Stage, exists, of_part, parts};
use crate::tree::{Failures, LockedTree, Siblings, State, StateTime, Verify};

/// How many parts are rendered while the catalog is locked.
const PARTS_PER_STEP: usize = 64;

/// The stages of each pass over all parts. In one pass, documents refer only to documents of their
/// own part, or of earlier passes.
const PASSES: [RangeInclusive<Stage>; 5] = [
    Stage::Package..=Stage::SkillPage,
    Stage::GlobalSkillPage..=Stage::GlobalSkillPage,
    Stage::GitPack..=Stage::NamespacePage,
    Stage::NamespacesPage..=Stage::HomePage,
    Stage::Feed..=Stage::Feed,
];

/// What a failed document means for a rebuild.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum AtFailure {
    /// The other documents are still written.
    GoOn,
    /// The rebuild ends: the others are useless without it.
    GiveUp,
}

impl TreePublisher {
    /// Writes all documents but the head, and removes unknown files.
    pub(super) fn rebuild(&mut self) -> Result<(), TreeError> {
        self.writer.tree.make_folders()?;
        // From here on, the tree counts as unfinished.
        let (epoch, state) = {
            let catalog = self.writer.sources.public.read();
            (catalog.feed().epoch().clone(), State::of(&catalog))
        };
        self.writer.time_offset = self.offset_of_rebuild(&epoch, state);
        self.writer.tree.begin_rebuild(&self.cursor_at(epoch, state))?;
        self.cursor = None;
        self.reached = None;
        if !self.build_initial()? {
            let failures = self.write_parts(None, &PASSES, AtFailure::GoOn)?;
            if !failures.0.is_empty() {
                return Err(failures.into());
            }
        }
        self.reached = Some(state);
        Ok(())
    }

    /// The time offset of a rebuild. It changes if the same numbers stand for other bytes than in
    /// the last tree, or if the numbers are lower.
    fn offset_of_rebuild(&self, epoch: &Epoch, state: State) -> u64 {
        let Some(last) = self.writer.tree.record() else { return 0 };
        let is_same = last.epoch == *epoch
            && last.settings == self.writer.settings.digest()
            && last.format == FORMAT
            && state.covers(last.state);
        if is_same { last.time_offset } else { StateTime::next_offset(state, last.state, last.time_offset) }
    }

    /// Writes all parts in the order of `passes`, and all documents that rows outdate meanwhile: to
    /// a staging tree, or in place.
    pub(super) fn write_parts(
        &mut self,
        staging: Option<&LockedTree>,
        passes: &[RangeInclusive<Stage>],
        at_failure: AtFailure,
    ) -> Result<Failures, TreeError> {
        let DocumentWriter { sources, settings, .. } = &self.writer;
        let (parts, public) = {
            let catalog = sources.public.read();
            self.outdated = Outdated::since(State::of(&catalog));
            sources.search.take_stale(&catalog);
            self.answers = KnownAnswers::AllBut;
            (parts(self.writer.context(&catalog)), &sources.public)
        };
        let tree = staging.unwrap_or(&self.writer.tree);
        self.writer.pieces.lock().list_again(tree.tree())?;
        let siblings = if settings.gzip { Siblings::Compared } else { Siblings::None };
        let options = WriteOptions { siblings, verify: Verify::Content };
        let mut failures = Failures::default();
        let mut steps = self.writer.tree.progress.begin("documents", || {
            let catalog = public.read();
            let context = self.writer.context(&catalog);
            let of_pass =
                |stages| parts.iter().map(|part| of_part(context, part, stages).len()).sum::<usize>();
            passes.iter().map(of_pass).sum()
        });
        for stages in passes {
            if *stages.start() == Stage::Feed {
                let belongs = |document: &_| exists(self.writer.context(&public.read()), document);
                tree.prune(settings, belongs)?;
            }
            for parts in parts.chunks(PARTS_PER_STEP) {
                let catalog = self.writer.lock_planned(public, &mut self.outdated)?;
                // New documents of these and of earlier stages, to which the parts may refer.
                let mut documents = self.outdated.take(*stages.end(), usize::MAX);
                let context = self.writer.context(&catalog);
                documents.extend(parts.iter().flat_map(|part| of_part(context, part, stages)));
                let mut batch = self.writer.render(&catalog, &documents, options);
                drop(catalog);
                // Removed documents are pruned later, when nothing refers to them any more.
                self.outdated.removals.extend(batch.take_removals());
                failures.0.extend(self.writer.write(batch, staging).0);
                steps.add(documents.len());
                if at_failure == AtFailure::GiveUp && !failures.0.is_empty() {
                    return Ok(failures);
                }
            }
        }
        Ok(failures)
    }
}
