//! The engines that are compared.

use super::Skill;
use super::engine::Engine;
use super::fts5::{Fts5, Matching};
use super::query::Query;
use super::skillmirror::Skillmirror;
use crate::Failure;

/// All of them, with the same skills.
pub(super) struct Engines {
    skillmirror: Skillmirror,
    fts5: Fts5,
    tantivy: Box<dyn Engine>,
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

    /// FTS5 matches in the way that is best for these queries from now on.
    pub(super) fn prepare(&mut self, queries: &[Query]) -> Result<Matching, Failure> {
        self.fts5.take_the_best(queries)
    }

    /// FTS5 matches like this from now on.
    pub(super) fn set(&mut self, matching: Matching) {
        self.fts5.set(matching);
    }

    /// Ours first, then FTS5 and tantivy.
    pub(super) fn all(&self) -> [&dyn Engine; 3] {
        [&self.skillmirror, &self.fts5, &*self.tantivy]
    }
}

#[cfg(feature = "engines")]
fn tantivy(skills: &[Skill]) -> Result<Box<dyn Engine>, Failure> {
    Ok(Box::new(super::tantivy::Tantivy::with(skills)?))
}

#[cfg(not(feature = "engines"))]
fn tantivy(_skills: &[Skill]) -> Result<Box<dyn Engine>, Failure> {
    Err("tantivy is not built in: start this with benches/run".into())
}
