//! Which pieces of the search index are in the tree.

use std::collections::BTreeSet;
use std::io;
use std::ops::Bound;
use std::time::{Duration, Instant};

use crate::search::PieceName;
use crate::tree::{LockedTree, Look, Tree};

/// The pieces that are known to be in the tree. Nobody else writes them while we
/// have the tree's lock.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    /// The manifest leads there, or is about to.
    current: BTreeSet<PieceName>,
    /// It does not any more.
    superseded: BTreeSet<PieceName>,
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
        let (superseded, current): (Vec<_>, Vec<_>) =
            tree.pieces()?.into_iter().partition(|(_, is_superseded)| *is_superseded);
        let names = |of: Vec<(PieceName, bool)>| of.into_iter().map(|(name, _)| name).collect();
        (self.current, self.superseded, self.is_listed) = (names(current), names(superseded), true);
        Ok(())
    }

    /// Whether a manifest may lead to a piece without any more ado.
    pub(super) fn has(&self, name: PieceName) -> bool {
        self.current.contains(&name)
    }

    /// Notes that a piece was put.
    pub(super) fn put(&mut self, name: PieceName) {
        self.superseded.remove(&name);
        self.current.insert(name);
    }

    /// Notes that the tree's manifest leads to `current` and to no other piece.
    pub(super) fn led_to(&mut self, tree: &LockedTree, current: &BTreeSet<PieceName>) -> io::Result<()> {
        let over: Vec<_> = self.current.difference(current).copied().collect();
        for name in over {
            tree.supersede_piece(name)?;
            self.current.remove(&name);
            self.superseded.insert(name);
        }
        Ok(())
    }

    /// Looks at the superseded pieces behind one (None: at all) and removes, of
    /// the next `most`, those whose time is over, and where they are looked at
    /// closely those that are damaged. Returns the last one that was looked at;
    /// None when there are no more.
    fn expire(
        &mut self,
        tree: &LockedTree,
        (after, most): (Option<PieceName>, usize),
        keep: Duration,
        look: Look,
    ) -> io::Result<Option<PieceName>> {
        let behind = after.map_or(Bound::Unbounded, Bound::Excluded);
        let next: Vec<_> = self.superseded.range((behind, Bound::Unbounded)).take(most).copied().collect();
        for name in &next {
            if tree.expire_piece(*name, keep, look)? {
                self.superseded.remove(name);
            }
        }
        Ok(next.last().copied().filter(|_| next.len() == most))
    }
}

/// How many pieces are looked at in one go while the tree is at rest.
const PORTION: usize = 100;

/// How long after one time the next is.
const PAUSE: Duration = Duration::from_secs(60 * 60);

/// When superseded pieces are removed.
#[derive(Debug)]
pub(super) struct Expiry {
    keep: Duration,
    /// The piece behind which to go on.
    after: Option<PieceName>,
    /// When the next time is. None: now.
    due: Option<Instant>,
}

impl Expiry {
    pub(super) fn new(keep: Duration) -> Self {
        Self { keep, after: None, due: None }
    }

    /// When a head was written: all of them after a sweep, and where they do not
    /// stay at all.
    pub(super) fn after_head(&self, pieces: &mut Pieces, tree: &LockedTree, look: Look) -> io::Result<()> {
        if look == Look::Close || self.keep.is_zero() {
            pieces.expire(tree, (None, usize::MAX), self.keep, look)?;
        }
        Ok(())
    }

    /// A portion, where it is time.
    pub(super) fn at_rest(&mut self, now: Instant, pieces: &mut Pieces, tree: &LockedTree) -> io::Result<()> {
        if self.due.is_some_and(|due| now < due) {
            return Ok(());
        }
        // Where this fails: not again before the next time.
        self.due = Some(now + PAUSE);
        self.after = pieces.expire(tree, (self.after, PORTION), self.keep, Look::Usual)?;
        if self.after.is_some() {
            self.due = None;
        }
        Ok(())
    }
}
