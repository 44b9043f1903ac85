//! Something bounded that clients share: places, or bytes of memory.
//!
//! When it is used up, [`gives_way`] decides who loses a share. Only a share with a
//! [`CancellationToken`] can be taken away: its holder stops at once when that is cancelled.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use registry::fair_share::{Held, Owner, gives_way};
use tokio::sync::Notify;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

/// How long a newcomer waits, if it can, before it takes shares from others.
const POLITE: Duration = Duration::from_secs(1);

/// A bounded amount that is shared out.
#[derive(Debug, Clone)]
pub(crate) struct Shares(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    max: u64,
    max_of_owner: u64,
    held: Mutex<Table>,
    freed: Notify,
}

/// The shares in the order in which they were taken.
#[derive(Debug, Default)]
struct Table {
    parts: BTreeMap<u64, Part>,
    last: u64,
}

#[derive(Debug)]
struct Part {
    owner: Owner,
    amount: u64,
    /// Ends the work of the holder. None: the share stays.
    revoked: Option<CancellationToken>,
}

/// A share. Dropping it gives it back.
#[derive(Debug)]
pub(crate) struct Share {
    shares: Shares,
    id: u64,
}

impl Shares {
    /// Shares out `max`, of which each owner gets `max_of_owner` at most.
    pub(crate) fn new(max: u64, max_of_owner: u64) -> Self {
        Self(Arc::new(Inner { max, max_of_owner, held: Mutex::default(), freed: Notify::new() }))
    }

    /// How much nobody holds.
    pub(crate) fn free(&self) -> u64 {
        self.0.max.saturating_sub(self.0.held.lock().sum(|_| true))
    }

    /// Takes a share, from clients that hold more if all shares are taken. `None` if no share can be taken.
    pub(crate) fn take(&self, owner: &Owner, amount: u64) -> Option<Share> {
        let mut table = self.0.held.lock();
        self.0.make_room(&mut table, owner, amount)?;
        table.last += 1;
        let id = table.last;
        table.parts.insert(id, Part { owner: owner.clone(), amount, revoked: None });
        Some(Share { shares: self.clone(), id })
    }

    /// Like [`Self::take`], but waits for a share until `patience` is over. In the first second it
    /// takes none from others, because fast readers give theirs back by then.
    pub(crate) async fn take_within(&self, patience: Duration, owner: &Owner, amount: u64) -> Option<Share> {
        let (polite, end) = (Instant::now() + POLITE, Instant::now() + patience);
        loop {
            let freed = self.0.freed.notified();
            tokio::pin!(freed);
            // Listens before it looks, so that it misses no share that is given back in between.
            freed.as_mut().enable();
            let is_polite = Instant::now() < polite;
            if (!is_polite || self.free() >= amount)
                && let Some(share) = self.take(owner, amount)
            {
                return Some(share);
            }
            if timeout_at(if is_polite { polite } else { end }, freed).await.is_err() && !is_polite {
                return None;
            }
        }
    }
}

impl Inner {
    /// Takes shares away until `amount` is free. None, and nobody loses any, if that cannot be.
    fn make_room(&self, table: &mut Table, owner: &Owner, amount: u64) -> Option<()> {
        if table.sum(|part| part.owner == *owner).saturating_add(amount) > self.max_of_owner {
            return None;
        }
        let mut losers = Vec::new();
        while table.sum(|_| true).saturating_add(amount) > self.max {
            let held = table.parts.iter().map(|(id, part)| Held {
                owner: &part.owner,
                amount: part.amount,
                id: part.revoked.is_some().then_some(*id),
            });
            let loser = gives_way(owner, amount, held).and_then(|id| Some((id, table.parts.remove(&id)?)));
            let Some(loser) = loser else {
                table.parts.extend(losers);
                return None;
            };
            losers.push(loser);
        }
        losers.iter().filter_map(|(_, part)| part.revoked.as_ref()).for_each(CancellationToken::cancel);
        Some(())
    }
}

impl Table {
    fn sum(&self, of: impl Fn(&Part) -> bool) -> u64 {
        self.parts.values().filter(|part| of(part)).map(|part| part.amount).sum()
    }
}

impl Share {
    /// Takes more. False if there is no more, or if the share was taken away.
    pub(crate) fn grow(&self, amount: u64) -> bool {
        let inner = &*self.shares.0;
        let mut table = inner.held.lock();
        let Some(owner) = table.parts.get(&self.id).map(|part| part.owner.clone()) else { return false };
        let has_room = inner.make_room(&mut table, &owner, amount).is_some();
        match table.parts.get_mut(&self.id).filter(|_| has_room) {
            Some(part) => part.amount += amount,
            None => return false,
        }
        true
    }

    /// Lets others take the share away, which cancels `revoked`. With None, they cannot.
    pub(crate) fn set_revocable(&self, revoked: Option<&CancellationToken>) {
        if let Some(part) = self.shares.0.held.lock().parts.get_mut(&self.id) {
            part.revoked = revoked.cloned();
        }
        self.shares.0.freed.notify_waiters();
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.shares.0.held.lock().parts.remove(&self.id);
        self.shares.0.freed.notify_waiters();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn owner(name: &str) -> Owner {
        Owner::unrelated(name.to_owned())
    }

    /// A share that can be taken away.
    fn take(shares: &Shares, name: &str, amount: u64) -> (Share, CancellationToken) {
        let (share, revoked) = (shares.take(&owner(name), amount).unwrap(), CancellationToken::new());
        share.set_revocable(Some(&revoked));
        (share, revoked)
    }

    #[test]
    fn owner_with_most_loses_the_oldest_share() {
        let shares = Shares::new(4, 4);
        let held: Vec<_> = (0..4).map(|_| take(&shares, "ann", 1)).collect();
        let lost = || held.iter().map(|(_, revoked)| revoked.is_cancelled()).collect::<Vec<_>>();
        assert!(shares.take(&owner("ann"), 1).is_none());
        let (bob, _) = take(&shares, "bob", 1);
        assert_eq!(lost(), [true, false, false, false]);
        assert!(bob.grow(1));
        assert_eq!(lost(), [true, true, false, false]);
        assert!(!bob.grow(1), "then bob would hold most");
        assert_eq!(lost(), [true, true, false, false]);
        assert!(!held[0].0.grow(1), "it was taken away");
    }

    #[test]
    fn refused_newcomer_takes_nothing_away() {
        let shares = Shares::new(10, 8);
        let ann = shares.take(&owner("ann"), 6).unwrap();
        let (small, lost) = take(&shares, "cid", 4);
        assert!(shares.take(&owner("bob"), 5).is_none(), "the share of ann stays");
        assert!(!lost.is_cancelled());
        assert!(shares.take(&owner("bob"), 9).is_none(), "over the limit of one owner");
        drop((ann, small));
        assert_eq!(shares.free(), 10);
    }

    // tokio's time is paused: it jumps to the next timer when nothing runs.
    #[tokio::test(start_paused = true)]
    async fn waiting_newcomer_gets_what_is_given_back_or_taken_away() {
        let shares = Shares::new(2, 2);
        let (patience, waiting) = (Duration::from_secs(10), owner("bob"));
        let held = shares.take(&owner("ann"), 2).unwrap();
        assert!(shares.take_within(patience, &waiting, 1).await.is_none());
        let (bob, ()) = tokio::join!(shares.take_within(patience, &waiting, 1), async { drop(held) });
        drop(bob.unwrap());
        let (held, revoked) = take(&shares, "ann", 2);
        assert!(shares.take_within(patience, &waiting, 1).await.is_some());
        assert!(revoked.is_cancelled());
        drop(held);
    }
}
