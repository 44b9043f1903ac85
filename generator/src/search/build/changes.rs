//! What a change of skills changes in the index.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::namespace_cutoffs::NamespaceNames;
use super::posting_list::ListEffect;
use crate::search::format::keys::{base, in_namespace};

/// The words and keys that a change of skills affects.
#[derive(Default)]
pub struct IndexChanges {
    /// Words under which the set of skills, or an impact, is different.
    pub words: BTreeSet<Arc<[u8]>>,
    /// Keys whose lists or cards are written differently. A word stands for its key and that
    /// of its prefix.
    pub keys: BTreeSet<Arc<[u8]>>,
}

impl IndexChanges {
    /// Adds the effect on one key.
    pub fn add(
        &mut self,
        key: &[u8],
        effect: ListEffect,
        names: NamespaceNames<'_>,
        is_impact_changed: bool,
    ) {
        let word = base(key);
        let note = |keys: &mut BTreeSet<Arc<[u8]>>, key: &[u8]| {
            if !keys.contains(key) {
                keys.insert(key.into());
            }
        };
        if is_impact_changed {
            note(&mut self.words, word);
        }
        if effect.is_changed {
            note(&mut self.keys, word);
        }
        for namespace in effect.namespaces {
            note(&mut self.keys, &in_namespace(key, &names[namespace as usize]));
        }
    }
}
