//! Whether a log continues what a reader has accepted of it. Clients and mirrors decide it here.

use tlog_tiles::Hash;

use super::{Checkpoint, EpochStatement};
use crate::public::Epoch;

/// How a log relates to what a reader has accepted of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Continuation {
    /// It has all accepted rows.
    Continues,
    /// It lacks accepted rows because a backup was restored, and a key has signed that.
    Restored,
    /// It has fewer rows.
    RolledBack,
    /// It has other rows.
    Forked,
}

/// A signed statement that a backup was restored, for a reader who has accepted another epoch.
#[derive(Debug, Clone, Copy)]
pub struct Restore<'a> {
    /// The statement. Its signature was checked.
    pub statement: &'a EpochStatement,
    /// The epoch that was accepted, if the reader knows it.
    pub accepted: Option<&'a Epoch>,
    /// The roots that the accepted log and the new one have after the rows of the backup, as far as they are
    /// known.
    pub roots: [Option<Hash>; 2],
}

/// Why a reader must not follow another epoch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotRestored {
    /// The statement does not name the accepted epoch among the earlier ones.
    OtherEpoch,
    /// The backup had other rows than the accepted log or the new one.
    OtherRows,
}

/// Decides whether the log of `new` continues that of `accepted`.
///
/// `root` is the proved one of the first `accepted.size` leaves of the new log, None if it has fewer. Logs of one
/// size need no proof. `restore` matters only for a log that lacks accepted rows.
pub fn continuation(
    accepted: &Checkpoint,
    new: &Checkpoint,
    root: Option<Hash>,
    restore: Option<Restore<'_>>,
) -> Continuation {
    let root = if new.size == accepted.size { Some(new.root) } else { root };
    let found = match new.size < accepted.size {
        true => Continuation::RolledBack,
        false if root == Some(accepted.root) => return Continuation::Continues,
        false => Continuation::Forked,
    };
    if restore.is_some_and(|restore| restore.check().is_ok()) { Continuation::Restored } else { found }
}

impl Restore<'_> {
    /// Decides whether the statement lets the reader follow its epoch. An earlier statement does not: it cannot
    /// name a later epoch.
    pub fn check(&self) -> Result<(), NotRestored> {
        let EpochStatement { epoch, earlier, root, .. } = self.statement;
        if self.accepted.is_some_and(|accepted| accepted == epoch || !earlier.contains(accepted)) {
            return Err(NotRestored::OtherEpoch);
        }
        match self.roots.into_iter().flatten().all(|known| known == *root) {
            true => Ok(()),
            false => Err(NotRestored::OtherRows),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint(size: u64, root: u8) -> Checkpoint {
        Checkpoint { origin: "a.example".parse().unwrap(), size, root: Hash([root; 32]) }
    }

    #[test]
    fn log_that_lacks_accepted_rows_is_refused_unless_a_restore_is_signed() {
        use Continuation::{Continues, Forked, Restored, RolledBack};
        let accepted = checkpoint(5, 5);
        let hash = |root: u8| Some(Hash([root; 32]));
        for (new, root, expected) in [
            (checkpoint(5, 5), None, Continues),
            (checkpoint(7, 7), hash(5), Continues),
            (checkpoint(7, 7), None, Forked),
            (checkpoint(5, 6), None, Forked),
            (checkpoint(7, 7), hash(6), Forked),
            (checkpoint(4, 4), None, RolledBack),
        ] {
            assert_eq!(continuation(&accepted, &new, root, None), expected, "{new:?}");
        }
        let [first, second, third] = ["1", "2", "3"].map(|digit| digit.repeat(32));
        let statement = EpochStatement {
            name: accepted.origin.clone(),
            epoch: second.clone(),
            backup_revision: 3,
            size: 3,
            root: Hash([3; 32]),
            earlier: [first.clone()].into(),
        };
        for (known, roots, expected) in [
            (Some(&first), [hash(3), hash(3)], Ok(())),
            (Some(&first), [None, hash(3)], Ok(())),
            (None, [None, hash(3)], Ok(())),
            (Some(&first), [None, hash(4)], Err(NotRestored::OtherRows)),
            (Some(&first), [hash(4), hash(3)], Err(NotRestored::OtherRows)),
            // A statement that was followed already, and one of an earlier restore.
            (Some(&second), [None, hash(3)], Err(NotRestored::OtherEpoch)),
            (Some(&third), [None, hash(3)], Err(NotRestored::OtherEpoch)),
        ] {
            let restore = Restore { statement: &statement, accepted: known, roots };
            assert_eq!(restore.check(), expected, "{known:?} {roots:?}");
            let found = continuation(&accepted, &checkpoint(4, 4), None, Some(restore));
            assert_eq!(found, if expected.is_ok() { Restored } else { RolledBack });
        }
    }
}
