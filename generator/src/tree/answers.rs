//! The precomputed answers to common queries.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use super::{Tree, entries};
use crate::address::Document;

impl Tree {
    /// The queries with an answer in the tree.
    pub(crate) fn queries(&self) -> io::Result<BTreeSet<Arc<str>>> {
        // All answers are in one folder, each named for its query.
        let place = self.place(&Document::answer("q"))?;
        let names =
            entries(place.parent().unwrap_or(self.root()))?.into_iter().map(|entry| entry.file_name());
        let query = |name: std::ffi::OsString| name.to_str()?.strip_suffix(".json").map(Arc::from);
        Ok(names.filter_map(query).collect())
    }
}
