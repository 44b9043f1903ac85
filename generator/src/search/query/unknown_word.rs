//! Words of a query that no skill has.

use serde::Serialize;

/// A word of a query that no skill has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnknownWord {
    /// The word, as it was searched for.
    pub word: String,
    /// The closest word of the index, which was searched for instead.
    pub instead: Option<String>,
}
