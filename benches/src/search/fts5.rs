//! SQLite's full-text search, with the Porter stemmer and weighted fields.

use rusqlite::{Connection, params};

use super::engine::{Engine, Found};
use super::query::Query;
use super::weights::{WEIGHTS, Weights};
use super::{Skill, relevance};
use crate::Failure;

/// Which skills a query finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matching {
    /// Those with all its words.
    All,
    /// Those with any of them.
    Any,
    /// Skills with all words, or with any word if no skill has all.
    AllElseAny,
}

impl Matching {
    const EVERY: [Self; 3] = [Self::All, Self::Any, Self::AllElseAny];

    pub(super) fn title(self) -> &'static str {
        match self {
            Self::All => "all words",
            Self::Any => "any word",
            Self::AllElseAny => "all words, else any",
        }
    }
}

/// A table in memory, with an index of prefixes; the last word of a query is one.
pub(super) struct Fts5 {
    database: Connection,
    matching: Matching,
    weights: Weights,
}

impl Fts5 {
    /// An engine with these skills. A query finds those with all its words.
    pub(super) fn with(skills: &[Skill]) -> Result<Self, Failure> {
        let mut database = Connection::open_in_memory()?;
        let columns = "slug, name, keywords, description, headings";
        let options = "tokenize = 'porter unicode61', prefix = '2 3 4 5 6 7'";
        database.execute_batch(&format!("CREATE VIRTUAL TABLE skill USING fts5({columns}, {options})"))?;
        let change = database.transaction()?;
        let insert = format!("INSERT INTO skill(rowid, {columns}) VALUES (?, ?, ?, ?, ?, ?)");
        for (number, skill) in skills.iter().enumerate() {
            let Skill { slug, name, description, .. } = skill;
            let (keywords, headings) = (skill.keywords.join("\n"), skill.headings.join("\n"));
            let row = params![number as i64, slug, name, keywords, description, headings];
            change.prepare_cached(&insert)?.execute(row)?;
        }
        change.execute_batch("INSERT INTO skill(skill) VALUES ('optimize')")?;
        change.commit()?;
        Ok(Self { database, matching: Matching::Any, weights: WEIGHTS[0] })
    }

    /// Takes the way of matching and the weights that put what these queries mean highest.
    pub(super) fn take_the_best(&mut self, queries: &[Query]) -> Result<(Matching, Weights), Failure> {
        let mut best = (f64::MIN, self.matching, self.weights);
        for matching in Matching::EVERY {
            for weights in WEIGHTS {
                (self.matching, self.weights) = (matching, weights);
                let found = relevance::judged(self, queries)?.overall().reciprocal_rank();
                if found > best.0 {
                    best = (found, matching, weights);
                }
            }
        }
        (self.matching, self.weights) = (best.1, best.2);
        Ok((best.1, best.2))
    }

    /// Takes a way of matching, and weights.
    pub(super) fn set(&mut self, (matching, weights): (Matching, Weights)) {
        (self.matching, self.weights) = (matching, weights);
    }

    fn found(&self, expression: &str, limit: usize) -> Result<Vec<Found>, Failure> {
        let ask = "SELECT rowid, slug, name FROM skill WHERE skill MATCH ?1 \
            ORDER BY bm25(skill, ?3, ?4, ?5, ?6, ?7) LIMIT ?2";
        let mut ask = self.database.prepare_cached(ask)?;
        let [slug, name, keywords, description, headings] = self.weights;
        let values = params![expression, limit as i64, slug, name, keywords, description, headings];
        let found = ask.query_map(values, |row| {
            Ok(Found { number: row.get::<_, i64>(0)? as usize, slug: row.get(1)?, name: row.get(2)? })
        })?;
        Ok(found.collect::<Result<_, _>>()?)
    }
}

impl Engine for Fts5 {
    fn name(&self) -> &'static str {
        "FTS5"
    }

    fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Failure> {
        let words: Vec<_> =
            query.split_whitespace().map(|word| format!("\"{}\"", word.replace('"', "\"\""))).collect();
        let all = || format!("{}*", words.join(" "));
        let any = || format!("{}*", words.join(" OR "));
        match self.matching {
            Matching::All => self.found(&all(), limit),
            Matching::Any => self.found(&any(), limit),
            Matching::AllElseAny => {
                let found = self.found(&all(), limit)?;
                if found.is_empty() && words.len() > 1 { self.found(&any(), limit) } else { Ok(found) }
            }
        }
    }
}
