//! Entries of the cache and their weights.

use std::sync::Arc;

use quick_cache::Weighter;

use crate::representation::Prepared;

/// A document, and the generation that it belongs to.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub generation: u64,
    pub document: Arc<Prepared>,
}

/// Weighs entries in bytes of memory. A document under both of its keys counts twice.
#[derive(Debug, Clone)]
pub(super) struct Weights;

impl Weighter<String, Entry> for Weights {
    fn weight(&self, key: &String, entry: &Entry) -> u64 {
        key.len() as u64 + entry.document.weight()
    }
}
