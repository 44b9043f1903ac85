//! What is kept, and how heavy it is.

use std::sync::Arc;

use quick_cache::Weighter;

use crate::representation::Prepared;

/// A document, and since when it may be used.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub generation: u64,
    pub document: Arc<Prepared>,
}

/// Bytes of memory. A document that is known by both of its keys counts twice.
#[derive(Debug, Clone)]
pub(super) struct Weights;

impl Weighter<String, Entry> for Weights {
    fn weight(&self, key: &String, entry: &Entry) -> u64 {
        key.len() as u64 + entry.document.weight()
    }
}
