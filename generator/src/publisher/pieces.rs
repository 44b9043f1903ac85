//! Which pieces of the search index are in the tree.

use std::collections::BTreeSet;
use std::io;
use std::time::{Duration, Instant};

use super::expired_pieces::{ExpiredPieces, Retention};
use crate::search::PieceName;
use crate::tree::{LockedTree, Tree, Verify};

/// The pieces that are known to be in the tree. Nobody else writes them while we
/// have the tree's lock.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// The manifest leads there, or is about to.
    current: BTreeSet<PieceName>,
    /// It does not any more.
    expired: ExpiredPieces,
    is_listed: bool,
}

impl Pieces {
    /// Takes in those in the folder, the first time.
    pub(super) fn list(&mut self, tree: &Tree) -> io::Result<()> {
        if !self.is_listed {
            self.list_again(tree)?;
        }
        Ok(())
    }

    /// Takes in those in the folder: someone may have removed some.
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

    /// Whether a manifest may lead to a piece without any more ado.
    pub(super) fn has(&self, name: PieceName) -> bool {
        self.current.contains(&name)
    }

    /// Notes that a piece was put.
    pub(super) fn put(&mut self, name: PieceName) {
        self.expired.remove(name);
        self.current.insert(name);
    }

    /// Notes that the tree's manifest leads to `current` and to no other piece.
    pub(super) fn led_to(&mut self, tree: &LockedTree, current: &BTreeSet<PieceName>) -> io::Result<()> {
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

    /// Removes those that have to go, the oldest first and `most` at most.
    fn expire(&mut self, tree: &LockedTree, retention: Retention, most: usize) -> io::Result<()> {
        for _ in 0..most {
            let Some(name) = self.expired.next_to_remove(retention) else { break };
            tree.remove_piece(name)?;
            self.expired.remove(name);
        }
        Ok(())
    }

    /// Removes expired ones whose bytes are not what their names say.
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

/// How many pieces are removed in one go. A change supersedes fewer.
const PORTION: usize = 100;

/// How long nothing is removed where something could not be.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// When expired pieces are removed.
#[derive(Debug)]
pub(super) struct Expiry {
    retention: Retention,
    /// Not before.
    due: Option<Instant>,
}

impl Expiry {
    pub(super) fn new(retention: Retention) -> Self {
        Self { retention, due: None }
    }

    /// When a head was written, and somebody waits to hear it: all after a rebuild, and
    /// where they do not stay at all.
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

    /// When nobody waits: a portion. Returns soon where there is nothing to do.
    pub(super) fn when_told(
        &mut self,
        now: Instant,
        pieces: &mut Pieces,
        tree: &LockedTree,
    ) -> io::Result<()> {
        if self.due.is_some_and(|due| now < due) {
            return Ok(());
        }
        // Where this fails: not again for a while.
        self.due = Some(now + PAUSE);
        pieces.expire(tree, self.retention, PORTION)?;
        self.due = None;
        Ok(())
    }
}
