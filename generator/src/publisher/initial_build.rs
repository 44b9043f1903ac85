//! Builds the first tree of an empty output folder, which nobody reads yet.

use super::rebuild::AtFailure;
use super::{TreeError, TreePublisher};
use crate::address::Stage;

impl TreePublisher {
    /// Builds all documents but the head, if the output folder is empty. Returns whether it did. If
    /// the folder is not empty or a document failed, the folder is unchanged.
    pub(super) fn build_initial(&mut self) -> Result<bool, TreeError> {
        // A rebuild in place meets the same obstacle and names the documents, or does without a
        // staging folder.
        let Ok(Some(tree)) = self.writer.tree.staging() else { return Ok(false) };
        // The order does not matter here, and files of one folder are created together.
        let all = [Stage::Package..=Stage::Feed];
        let is_written = self.write_parts(Some(&tree), &all, AtFailure::GiveUp)?.0.is_empty();
        let is_built = is_written && self.writer.tree.move_into_place(&tree).is_ok();
        if !is_built {
            self.writer.tree.clear_staging()?;
        }
        Ok(is_built)
    }
}
