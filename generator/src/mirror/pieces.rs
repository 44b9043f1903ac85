//! Which pieces of the search index are in the tree.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::time::{Duration, Instant};

use crate::search::PieceName;
use crate::tree::{LockedTree, Look, Tree};

/// How a piece stands to the tree's manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// It leads there, or is about to.
    Current,
    /// It does not any more.
    Superseded,
}

/// The pieces that are known to be in the tree. Nobody else writes them while we
/// have the tree's lock.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    known: BTreeMap<PieceName, Standing>,
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
        let standing = |is_superseded| if is_superseded { Standing::Superseded } else { Standing::Current };
        let found = tree.pieces()?.into_iter();
        self.known = found.map(|(name, is_superseded)| (name, standing(is_superseded))).collect();
        self.is_listed = true;
        Ok(())
    }

    /// Whether a manifest may lead to a piece without any more ado.
    pub(super) fn has(&self, name: PieceName) -> bool {
        self.known.get(&name) == Some(&Standing::Current)
    }

    /// Notes that a piece was put.
    pub(super) fn put(&mut self, name: PieceName) {
        self.known.insert(name, Standing::Current);
    }

    /// Notes that the tree's manifest leads to `current` and to no other piece.
    pub(super) fn led_to(&mut self, tree: &LockedTree, current: &BTreeSet<PieceName>) -> io::Result<()> {
        for (name, standing) in &mut self.known {
            if *standing == Standing::Current && !current.contains(name) {
                tree.supersede_piece(*name)?;
                *standing = Standing::Superseded;
            }
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
        let mut superseded = self.known.iter().filter(|(name, standing)| {
            **standing == Standing::Superseded && after.is_none_or(|after| **name > after)
        });
        let next: Vec<_> = superseded.by_ref().take(most).map(|(name, _)| *name).collect();
        let is_last = superseded.next().is_none();
        for name in &next {
            if tree.expire_piece(*name, keep, look)? {
                self.known.remove(name);
            }
        }
        Ok(next.last().copied().filter(|_| !is_last))
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
