//! Computes a catalog from a whole history.

use std::thread;

use super::change_log::ChangeLog;
use super::look_alikes::LookAlikes;
use super::{Lists, PublicCatalog};
use crate::public::{DecodedRow, History};

impl PublicCatalog {
    /// The catalog after all rows. Equals one [`Self::apply`] for each, but sorts only once, at the
    /// end. `history` is asked for after the last row, so another thread may make it meanwhile.
    ///
    /// Errors: the first one among the rows.
    pub fn replay<E>(
        rows: impl Iterator<Item = Result<DecodedRow, E>>,
        history: impl FnOnce() -> History,
    ) -> Result<Self, E> {
        let mut catalog = Self {
            lists: Lists::deferred(),
            look_alikes: LookAlikes::deferred(),
            change_log: ChangeLog::asleep(),
            ..Self::default()
        };
        for row in rows {
            catalog.apply_change(row?);
        }
        catalog.history = history();
        let mut look_alikes = LookAlikes::default();
        let mut lists = Lists::default();
        thread::scope(|threads| {
            threads.spawn(|| look_alikes = LookAlikes::of(catalog.namespaces.keys(), catalog.skills.keys()));
            lists = catalog.sorted_lists();
        });
        catalog.look_alikes = look_alikes;
        catalog.lists = lists;
        catalog.change_log.wake();
        Ok(catalog)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
