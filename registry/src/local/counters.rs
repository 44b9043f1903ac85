//! The published counters of each skill, which documents show: the process that counts hands them to
//! the process that writes the tree.

use super::downloads::{EARLIER_DOWNLOADS, SEQUENCES, recompute_totals, skill_key};
use super::{LocalError, LocalStore, Record, Space, Transaction};
use crate::public::{Counters, Id};

/// The published counters, by skill. The number is their generation.
pub(super) const PUBLISHED_COUNTERS: Space = Space::new("published_counters.1");

/// The last published generation, in [`SEQUENCES`].
const GENERATION: &str = "counter_generation";

impl LocalStore {
    /// Publishes the counters of some skills as `generation`, as a whole.
    ///
    /// Errors: [`LocalError::Conflict`] unless the last generation is smaller,
    /// because another process has published meanwhile.
    pub fn publish_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        self.write(Some(SEQUENCES), |records| {
            if generation <= last_generation(records)? {
                return Err(LocalError::Conflict);
            }
            put(records, counters, generation)
        })
    }

    /// The counters that were published after `generation` (0: all), each with
    /// its generation. Sorted by generation, then by skill.
    pub fn published_counters_since(&self, generation: u64) -> Result<Vec<(Id, Counters, u64)>, LocalError> {
        let generation = i64::try_from(generation).unwrap_or(i64::MAX);
        let found = self.single(|records| records.since(PUBLISHED_COUNTERS, generation))?;
        let mut published = Vec::with_capacity(found.len());
        for record in &found {
            let skill = record.place.1.parse().map_err(|_| record.damaged())?;
            published.push((Id(skill), record.read()?, record.count()));
        }
        published.sort_unstable_by_key(|(skill, _, generation)| (*generation, *skill));
        Ok(published)
    }

    /// The last published generation, or 0. It never falls, not even when a
    /// restored history has fewer skills.
    pub fn counter_generation(&self) -> Result<u64, LocalError> {
        self.single(last_generation)
    }

    /// Publishes counters that a tree shows up to `generation`, unless counters
    /// were published here, because the store was lost or erased. They get the next generation. The
    /// downloads of each day are lost, so totals are counted on from these.
    pub fn adopt_counters(&self, counters: &[(Id, Counters)], generation: u64) -> Result<(), LocalError> {
        let earlier = counters
            .iter()
            .map(|(skill, shown)| Record::new((EARLIER_DOWNLOADS, skill_key(*skill)), &shown.downloads));
        let earlier = earlier.collect::<Result<Vec<_>, _>>()?;
        self.write(Some(SEQUENCES), |records| {
            if last_generation(records)? > 0 {
                return Ok(());
            }
            put(records, counters, generation.saturating_add(1))?;
            records.put_all(&earlier)?;
            recompute_totals(records)
        })
    }
}

/// Stores counters as `generation`, which must be the greatest.
fn put(
    records: &mut dyn Transaction,
    counters: &[(Id, Counters)],
    generation: u64,
) -> Result<(), LocalError> {
    let mut published = vec![Record::new((SEQUENCES, GENERATION.to_owned()), &generation)?];
    for (skill, counters) in counters {
        let record = Record::new((PUBLISHED_COUNTERS, skill_key(*skill)), counters)?;
        published.push(record.numbered(generation));
    }
    records.put_all(&published)
}

fn last_generation(records: &mut dyn Transaction) -> Result<u64, LocalError> {
    Ok(records.value(SEQUENCES, GENERATION)?.unwrap_or_default())
}
