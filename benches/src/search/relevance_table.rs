//! The table of the engines' relevance.

use super::Engines;
use super::class::Class;
use super::query::{Half, Query};
use super::relevance::{Score, Scores, judged};
use crate::Failure;

/// So much below the better of the others a kind of query may be.
const ALLOWED: f64 = 0.01;

/// Asks all engines all queries of a half, and makes a table of it.
pub(super) fn table(engines: &Engines, half: Half, queries: &[Query]) -> Result<String, Failure> {
    let [skillmirror, fts5, tantivy] = engines.all().map(|engine| judged(engine, queries));
    let all = [skillmirror?, fts5?, tantivy?];
    let [skillmirror, fts5, tantivy] = engines.all().map(|engine| engine.name());
    let mut table = format!(
        "| {} | queries | MRR@10: {skillmirror} | {fts5} | {tantivy} | ours − the better | target | met \
         | recall@10: {skillmirror} | {fts5} | {tantivy} |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
        half.title(),
    );
    for class in Class::ALL {
        table += &row(class.title(), of(&all, |scores| scores.of(class)), |by| by >= -ALLOWED, "≥ −0.01");
    }
    table += &row("**all**", of(&all, Scores::overall), |by| by > 0.0, "> 0");
    Ok(table)
}

fn of(all: &[Scores; 3], score: impl Fn(&Scores) -> Score) -> [Score; 3] {
    [score(&all[0]), score(&all[1]), score(&all[2])]
}

fn row(title: &str, scores: [Score; 3], holds: fn(f64) -> bool, bound: &str) -> String {
    let [skillmirror, fts5, tantivy] = scores.map(|score| score.reciprocal_rank());
    let by = skillmirror - fts5.max(tantivy);
    let held = if holds(by) { "yes" } else { "**no**" };
    let [our_recall, fts5_recall, tantivy_recall] = scores.map(|score| score.recall());
    let number = scores[0].queries;
    format!(
        "| {title} | {number} | {skillmirror:.3} | {fts5:.3} | {tantivy:.3} | {by:+.3} | {bound} | {held} \
         | {our_recall:.3} | {fts5_recall:.3} | {tantivy_recall:.3} |\n"
    )
}
