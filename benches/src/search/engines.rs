//! The engines that are compared.

use super::Skill;
use super::engine::{Engine, Weighted};
use super::fts5::{Fts5, Matching};
use super::query::Query;
use super::relevance;
use super::skillmirror::Skillmirror;
use super::weights::{WEIGHTS, Weights};
use crate::Failure;

/// What was chosen for the other engines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settings {
    fts5: (Matching, Weights),
    tantivy: Weights,
}

impl Settings {
    /// What was chosen, for a table.
    pub(super) fn title(&self) -> String {
        let (matching, weights) = self.fts5;
        format!(
            "FTS5 finds {} with the weights {weights:?}, tantivy has {:?}",
            matching.title(),
            self.tantivy
        )
    }
}

/// All of them, with the same skills.
pub(super) struct Engines {
    skillmirror: Skillmirror,
    fts5: Fts5,
    tantivy: Box<dyn Weighted>,
}

impl Engines {
    /// Gives the skills to each.
    ///
    /// Errors: this was built without the feature `engines`.
    pub(super) fn with(skills: &[Skill]) -> Result<Self, Failure> {
        Ok(Self {
            skillmirror: Skillmirror::with(skills)?,
            fts5: Fts5::with(skills)?,
            tantivy: tantivy(skills)?,
        })
    }

    /// The others take what is best for these queries from now on. Returns what that is.
    pub(super) fn prepare(&mut self, queries: &[Query]) -> Result<Settings, Failure> {
        let mut best = (f64::MIN, WEIGHTS[0]);
        for weights in WEIGHTS {
            self.tantivy.set_weights(weights);
            let found = relevance::judged(&*self.tantivy, queries)?.overall().reciprocal_rank();
            if found > best.0 {
                best = (found, weights);
            }
        }
        self.tantivy.set_weights(best.1);
        Ok(Settings { fts5: self.fts5.take_the_best(queries)?, tantivy: best.1 })
    }

    /// The others take these settings from now on.
    pub(super) fn set(&mut self, settings: &Settings) {
        self.fts5.set(settings.fts5);
        self.tantivy.set_weights(settings.tantivy);
    }

    /// Ours first, then FTS5 and tantivy.
    pub(super) fn all(&self) -> [&dyn Engine; 3] {
        [&self.skillmirror, &self.fts5, &*self.tantivy]
    }
}

#[cfg(feature = "tantivy")]
fn tantivy(skills: &[Skill]) -> Result<Box<dyn Weighted>, Failure> {
    Ok(Box::new(super::tantivy::Tantivy::with(skills)?))
}

#[cfg(not(feature = "tantivy"))]
fn tantivy(_skills: &[Skill]) -> Result<Box<dyn Weighted>, Failure> {
    Err("tantivy is not built in: start this with benches/run".into())
}
