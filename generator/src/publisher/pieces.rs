//! Tracks the pieces of the search index in the tree.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use super::expired_pieces::{ExpiredPieces, Retention};
use crate::search::PieceName;
use crate::tree::{LockedTree, Tree, Verify};

/// The pieces known to be in the tree. The tree's lock keeps others from writing it.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// Named by the manifest, or about to be.
    current: BTreeSet<PieceName>,
    /// No longer named by the manifest.
    expired: ExpiredPieces,
    is_listed: bool,
}

impl Pieces {
    /// Lists the tree's pieces, unless that was done before.
    pub(super) fn list(&mut self, tree: &Tree) -> io::Result<()> {
        if !self.is_listed {
            self.list_again(tree)?;
        }
        Ok(())
    }

    /// Lists the tree's pieces again, in case somebody removed some.
    pub(super) fn list_again(&mut self, tree: &Tree) -> io::Result<()> {
        let mut listed = Self { is_listed: true, ..Self::default() };
        for piece in tree.pieces()? {
            match piece.expired {
                Some(since) => listed.expired.insert(piece.name, since, piece.bytes),
                None => {
                    listed.current.insert(piece.name);
                }
            }
        }
        *self = listed;
        Ok(())
    }

    /// Whether a new manifest may name the piece without writing it.
    pub(super) fn has(&self, name: PieceName) -> bool {
        self.current.contains(&name)
    }

    /// Records that a piece was written.
    pub(super) fn put(&mut self, name: PieceName) {
        self.expired.remove(name);
        self.current.insert(name);
    }

    /// Records that the tree's manifest names exactly the pieces `current`.
    pub(super) fn set_current(&mut self, tree: &LockedTree, current: &BTreeSet<PieceName>) -> io::Result<()> {
        let over: Vec<_> = self.current.difference(current).copied().collect();
        for name in over {
            let piece = tree.expire_piece(name)?;
            self.current.remove(&name);
            if let Some((since, bytes)) = piece {
                self.expired.insert(name, since, bytes);
            }
        }
        Ok(())
    }

    /// Removes at most `max` pieces whose time has passed, the oldest first.
    fn expire(&mut self, tree: &LockedTree, retention: Retention, max: usize) -> io::Result<()> {
        for _ in 0..max {
            let Some(name) = self.expired.next_to_remove(retention) else { break };
            tree.remove_piece(name)?;
            self.expired.remove(name);
        }
        Ok(())
    }

    /// Removes expired pieces whose bytes do not match their names.
    fn remove_damaged(&mut self, tree: &LockedTree) -> io::Result<()> {
        for name in self.expired.names() {
            if tree.tree().piece_fits(name)? != Some(true) {
                tree.remove_piece(name)?;
                self.expired.remove(name);
            }
        }
        Ok(())
    }
}

/// Pieces that are removed at once. A change expires fewer.
const MAX_REMOVED_AT_ONCE: usize = 100;

/// Pause after a failed removal.
const RETRY_INTERVAL: Duration = Duration::from_secs(60 * 60);

/// Decides when expired pieces are removed.
#[derive(Debug)]
pub(super) struct Expiry {
    retention: Retention,
    /// The end of the pause, if there is one.
    due: Option<Instant>,
}

impl Expiry {
    pub(super) fn new(retention: Retention) -> Self {
        Self { retention, due: None }
    }

    /// Called after a new head, while somebody may wait for it. Removes pieces only after a
    /// rebuild, or if none are to stay.
    pub(super) fn after_head(
        &self,
        pieces: &mut Pieces,
        tree: &LockedTree,
        verify: Verify,
    ) -> io::Result<()> {
        if verify == Verify::Content {
            pieces.remove_damaged(tree)?;
        }
        if verify == Verify::Content || self.retention.time.is_zero() {
            pieces.expire(tree, self.retention, usize::MAX)?;
        }
        Ok(())
    }

    /// Called when nobody waits. Removes a batch of pieces.
    pub(super) fn when_idle(
        &mut self,
        now: Instant,
        pieces: &mut Pieces,
        tree: &LockedTree,
    ) -> io::Result<()> {
        if self.due.is_some_and(|due| now < due) {
            return Ok(());
        }
        // If this fails, pause.
        self.due = Some(now + RETRY_INTERVAL);
        pieces.expire(tree, self.retention, MAX_REMOVED_AT_ONCE)?;
        self.due = None;
        Ok(())
    }
}
