//! How long a query takes.

use std::time::{Duration, Instant};

use super::engine::Engine;
use super::engines::Engines;
use super::query::Query;
use crate::Failure;
use crate::numbers::{median, milliseconds, percentile};
use crate::table::{Bound, Row};

/// How often each query is asked.
const ROUNDS: usize = 5;

/// Results of a query, each with its slug and name.
const RESULTS: usize = 10;

/// The limit of the 99th percentile of a query, in milliseconds.
const MAX_MILLISECONDS: f64 = 1.0;

/// Sends each query to all engines in turn, several times after one warm-up. The median of its
/// times counts, so that other work on the machine does not.
pub(super) fn rows(engines: &Engines, skills: usize, queries: &[Query]) -> Result<Vec<Row>, Failure> {
    let engines = engines.all();
    round(engines, queries)?;
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS {
        rounds.push(round(engines, queries)?);
    }
    let of = |engine: usize, percent| {
        let took = |query: usize| {
            let times: Vec<_> =
                rounds.iter().filter_map(|round| round.get(engine)?.get(query).copied()).collect();
            median(&times)
        };
        let each: Vec<_> = (0..queries.len()).filter_map(took).collect();
        percentile(&each, percent).map(milliseconds).ok_or("no query was timed")
    };
    let mut rows = Vec::new();
    for percent in [50, 99] {
        let [skillmirror, fts5, tantivy] = [of(0, percent)?, of(1, percent)?, of(2, percent)?];
        let (most, least) = match percent {
            99 => (Bound::Most(MAX_MILLISECONDS), Bound::Ratio(1.0)),
            _ => (Bound::None, Bound::None),
        };
        let what = format!("a query, p{percent}, {skills} skills");
        rows.push(Row::of(&what, skillmirror, "ms").beside("FTS5", fts5).bound(most));
        rows.push(Row::of("— the same", skillmirror, "ms").beside("tantivy", tantivy).bound(least));
    }
    Ok(rows)
}

/// The time of each query with each engine. The first engine changes with every query.
fn round(engines: [&dyn Engine; 3], queries: &[Query]) -> Result<[Vec<Duration>; 3], Failure> {
    let mut took = [const { Vec::new() }; 3];
    for (number, query) in queries.iter().enumerate() {
        for turn in 0..engines.len() {
            let whose = (number + turn) % engines.len();
            let start = Instant::now();
            let found = engines[whose].search(&query.text, RESULTS)?;
            took[whose].push(start.elapsed());
            drop(std::hint::black_box(found));
        }
    }
    Ok(took)
}
