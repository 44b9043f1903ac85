//! The interface of the compared search engines.

use super::weights::Weights;
use crate::Failure;

/// A skill that was found, with what is shown of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its place among the skills that the engine was given.
    pub number: usize,
    /// Its name in its namespace.
    pub slug: String,
    /// The name to show.
    pub name: String,
}

/// Something that finds skills; it was given all of them.
pub trait Engine {
    /// How it is called in tables.
    fn name(&self) -> &'static str;

    /// The best skills for a query, best first, at most `limit`.
    fn search(&self, query: &str, limit: usize) -> Result<Vec<Found>, Failure>;
}

/// An engine whose fields have weights.
pub(super) trait Weighted: Engine {
    /// Takes these weights from now on.
    fn set_weights(&mut self, weights: Weights);
}
