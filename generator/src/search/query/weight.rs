//! The weight of a word in a query.

use crate::search::format::logarithm::log;

/// The number of skills that ranking counts with, so that a few more do not change scores.
pub fn size_class(skills: u64) -> u64 {
    skills.max(16).next_power_of_two()
}

/// Weight of a word that `df` skills have, in an index of a [`size_class`].
pub fn idf(size_class: u64, df: u64) -> u64 {
    (4 + log(size_class)).saturating_sub(log(df)).max(1)
}
