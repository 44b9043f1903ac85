//! What a catalog keeps of the rows themselves.

use super::{Epoch, FeedIndex, PublicRow};
use crate::transparency_log::LogIndex;

/// The public rows so far, as pages of the mirror feed and as leaves of the transparency log.
#[derive(Default)]
pub struct History {
    /// The pages.
    pub feed: FeedIndex,
    /// The leaves.
    pub log: LogIndex,
}

impl History {
    /// The history before its first row.
    pub fn new(epoch: Epoch) -> Self {
        Self { feed: FeedIndex::new(epoch), ..Self::default() }
    }

    /// Adds the next public row.
    pub fn push(&mut self, row: &PublicRow) {
        self.feed.push(row);
        self.log.push(&row.into());
    }
}
