//! The ranks of the meant skills.

use std::collections::BTreeMap;

use super::class::Class;
use super::engine::Engine;
use super::query::Query;
use crate::Failure;

/// So many results are looked at.
const SEEN: usize = 10;

/// The results of several queries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Score {
    /// How many there were.
    pub(super) queries: usize,
    reciprocals: f64,
    found: usize,
}

impl Score {
    /// Records the rank of the meant skill, from 1. `None` if it is not among the first ten.
    fn count(&mut self, place: Option<usize>) {
        self.queries += 1;
        if let Some(place) = place {
            self.found += 1;
            self.reciprocals += 1.0 / place as f64;
        }
    }

    /// MRR@10: the mean of one divided by the place, 0 for those not among ten.
    pub(super) fn reciprocal_rank(&self) -> f64 {
        self.reciprocals / self.queries.max(1) as f64
    }

    /// Recall@10: the share of those that were among ten.
    pub(super) fn recall(&self) -> f64 {
        self.found as f64 / self.queries.max(1) as f64
    }
}

/// The scores of one engine.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores(BTreeMap<Class, Score>);

impl Scores {
    /// Of the queries of one kind.
    pub(super) fn of(&self, class: Class) -> Score {
        self.0.get(&class).copied().unwrap_or_default()
    }

    /// Of all queries, each counted alike.
    pub(super) fn overall(&self) -> Score {
        self.0.values().fold(Score::default(), |sum, score| Score {
            queries: sum.queries + score.queries,
            reciprocals: sum.reciprocals + score.reciprocals,
            found: sum.found + score.found,
        })
    }
}

/// Asks an engine all queries.
pub(super) fn judged(engine: &dyn Engine, queries: &[Query]) -> Result<Scores, Failure> {
    let mut scores = Scores::default();
    for query in queries {
        let found = engine.search(&query.text, SEEN)?;
        let place = found.iter().take(SEEN).position(|found| found.number == query.wanted);
        scores.0.entry(query.class).or_default().count(place.map(|place| place + 1));
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_counts_by_its_reciprocal() {
        let mut score = Score::default();
        for place in [Some(1), Some(4), None, None] {
            score.count(place);
        }
        assert_eq!((score.reciprocal_rank(), score.recall()), (0.3125, 0.5));
        assert_eq!(Score::default().reciprocal_rank(), 0.0);
    }
}
