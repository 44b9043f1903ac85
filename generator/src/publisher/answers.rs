//! Precomputed answers to common queries.
//!
//! The index tells which answers a change may outdate. Rendering one takes as long as a search, so
//! answers are rendered a few at a time, and the tree writes those that differ from their files.
//! They refer to documents of skills alone.

use std::collections::BTreeSet;
use std::io;
use std::sync::Arc;

use registry::public::PublicCatalog;

use super::batch::WriteBatch;
use super::document_writer::DocumentWriter;
use crate::address::{Document, FoundSkills, SearchPage};
use crate::render::Rendered;
use crate::render::clients::found_list;
use crate::render::search::{found as search, results};
use crate::search::{Index, Query, StaleAnswers};
use crate::tree::Tree;

/// Answers of one step of an update: they are rendered while the catalog is locked.
pub(super) const ANSWERS_PER_STEP: usize = 2;

/// What is known of the precomputed answers in the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KnownAnswers {
    /// Nothing.
    None,
    /// Those that are there are right.
    Present,
    /// All are there and right, but those that the index calls stale.
    AllBut,
}

impl KnownAnswers {
    /// The answers that may be outdated, missing, or no longer precomputed.
    pub(super) fn outdated(
        self,
        index: &Index,
        stale: StaleAnswers,
        tree: &Tree,
    ) -> io::Result<Vec<Arc<str>>> {
        if self == Self::AllBut && !stale.all {
            return Ok(stale.queries.into_iter().collect());
        }
        let there: BTreeSet<Arc<str>> = tree.queries()?;
        let precomputed: BTreeSet<_> = index.precomputed().cloned().collect();
        let outdated = if self == Self::Present { &precomputed ^ &there } else { &precomputed | &there };
        Ok(outdated.into_iter().collect())
    }
}

impl DocumentWriter {
    /// Renders answers with the index as it is, into a batch of the same catalog.
    pub(super) fn render_answers(
        &self,
        catalog: &PublicCatalog,
        queries: &[Arc<str>],
        batch: &mut WriteBatch,
    ) {
        let index = self.sources.search.as_it_is();
        for query in queries {
            let [page, found] = Document::answers(query);
            if !index.is_precomputed(query) {
                batch.remove(page);
                batch.remove(found);
                continue;
            }
            let asked = SearchPage { q: query.as_ref().to_owned(), ..SearchPage::default_page() };
            let skills = search(catalog, &index, &Query::new(query), None).skills;
            batch.put(page, Rendered::Bytes(results(catalog, &skills, &asked)));
            if let Some(site) = &self.settings.public_url {
                let limit = FoundSkills::of_word(query).limit;
                batch.put(found, Rendered::Bytes(found_list(&skills, limit, site)));
            }
        }
    }
}
