//! When each token was last used. Collected in memory, so that a request does not
//! wait for the disk.

use std::collections::HashMap;
use std::time::Duration;

use crate::local::{LocalError, LocalStore, Record, Space};
use crate::time::Timestamp;

/// The last written use of each token, by its id.
pub(in crate::local) const TOKEN_USES: Space = Space::new("token_uses.1");

/// The use of a token is written at most this often.
const WRITE_INTERVAL: Duration = Duration::from_secs(60);

/// The recent uses: those that are not written yet, and those whose next write
/// is not due yet.
#[derive(Default)]
pub(in crate::local) struct RecentUses(HashMap<String, Use>);

struct Use {
    latest: Timestamp,
    /// Whether `latest` is not written yet.
    pending: bool,
    /// The earliest time of the next write. It also applies after a failed write,
    /// so that not every request tries a failing disk.
    next: Timestamp,
}

/// Tokens and times of use to write.
type Due = Vec<(String, Timestamp)>;

impl RecentUses {
    /// Records a use. Returns the uses that the caller has to write now.
    fn record(&mut self, token: &str, at: Timestamp) -> Due {
        match self.0.get_mut(token) {
            Some(known) if at > known.latest => (known.latest, known.pending) = (at, true),
            Some(_) => {}
            None => {
                self.0.insert(token.to_owned(), Use { latest: at, pending: true, next: at });
            }
        }
        // The write that follows costs more than this look at all uses.
        if self.0.get(token).is_some_and(|known| known.pending && known.next <= at) {
            self.0.retain(|_, known| known.pending || known.next > at);
            self.take(at, |known| known.next <= at)
        } else {
            Due::new()
        }
    }

    /// All uses that are not written yet.
    fn take_all(&mut self) -> Due {
        self.take(Timestamp::default(), |_| true)
    }

    fn take(&mut self, now: Timestamp, due: impl Fn(&Use) -> bool) -> Due {
        let mut taken = Due::new();
        for (token, known) in &mut self.0 {
            if known.pending && due(known) {
                (known.pending, known.next) = (false, now.max(known.latest).plus(WRITE_INTERVAL));
                taken.push((token.clone(), known.latest));
            }
        }
        taken
    }

    /// Marks uses as unwritten after a failed write.
    fn put_back(&mut self, failed: Due) {
        for (token, at) in failed {
            let known = self.0.entry(token).or_insert(Use {
                latest: at,
                pending: true,
                next: at.plus(WRITE_INTERVAL),
            });
            known.pending = true;
        }
    }
}

impl LocalStore {
    /// Records that the token with the id `token` (not its secret) was used at
    /// `at`. The first use of a token is written at once, later ones at most once
    /// a minute. A crash loses the others. After an error the use stays in memory
    /// and is written later.
    pub fn token_used(&self, token: &str, at: Timestamp) -> Result<(), LocalError> {
        let due = self.token_uses.lock().record(token, at);
        self.write_token_uses(due)
    }

    /// Writes all uses in memory. For a clean shutdown.
    pub fn flush(&self) -> Result<(), LocalError> {
        let due = self.token_uses.lock().take_all();
        self.write_token_uses(due)
    }

    /// When the token was last used, if ever. Uses in other processes count once
    /// they are written.
    pub fn token_last_used(&self, token: &str) -> Result<Option<Timestamp>, LocalError> {
        let here = self.token_uses.lock().0.get(token).map(|known| known.latest);
        Ok(here.max(self.single(|records| records.value(TOKEN_USES, token))?))
    }

    /// Does not hold the lock on the uses, for which requests wait.
    fn write_token_uses(&self, due: Due) -> Result<(), LocalError> {
        if due.is_empty() {
            return Ok(());
        }
        let written = self.put_token_uses(&due);
        if written.is_err() {
            self.token_uses.lock().put_back(due);
        }
        written
    }

    /// Stores uses, each unless a later one is stored: several processes write them.
    fn put_token_uses(&self, due: &Due) -> Result<(), LocalError> {
        let places: Vec<_> = due.iter().map(|(token, _)| (TOKEN_USES, token.clone())).collect();
        self.write(Some(TOKEN_USES), |records| {
            let mut later = Vec::with_capacity(due.len());
            for ((place, (_, at)), stored) in places.iter().zip(due).zip(records.get(&places)?) {
                let stored: Option<Timestamp> = stored.map(|record| record.read()).transpose()?;
                if stored.is_none_or(|stored| stored < *at) {
                    later.push(Record::new(place.clone(), at)?);
                }
            }
            records.put(&later)
        })
    }
}

#[cfg(test)]
mod tests;
