//! What a change of skills changes in the index.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::namespace_cutoffs::NamespaceNames;
use super::posting_list::ListEffect;
use crate::search::format::keys::{base, in_namespace, is_prefix};

/// The words and keys that a change of skills affects.
#[derive(Default)]
pub struct IndexChanges {
    /// Words under which the set of skills, or an impact, is different.
    pub words: BTreeSet<Arc<[u8]>>,
    /// Keys whose lists or cards are written differently. A word stands for its key and that
    /// of its prefix.
    pub keys: BTreeSet<Arc<[u8]>>,
    /// Other skills that crossed a cutoff.
    pub displaced: DisplacedSkills,
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
        self.displaced.add(key, effect.displaced);
    }
}

/// What changed for a skill in the lists of a word and of its prefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ListChange {
    /// Whether it became a candidate of the word, and of its prefix, or no longer is one.
    pub candidates: [bool; 2],
    /// Whether it lost its posting, or got one.
    pub posting: bool,
}

/// Skills that the change of another one moved across a cutoff: by id, each with the words.
#[derive(Debug, Default)]
pub struct DisplacedSkills(pub BTreeMap<u64, BTreeMap<Arc<[u8]>, ListChange>>);

impl DisplacedSkills {
    /// Adds the skills that crossed the cutoffs of a key: that of the candidates, and that of
    /// the postings.
    fn add(&mut self, key: &[u8], [candidates, postings]: [Option<u64>; 2]) {
        if let Some(id) = candidates {
            // A skill that crosses twice is where it was.
            self.change(id, key).candidates[usize::from(is_prefix(key))] ^= true;
        }
        if let Some(id) = postings {
            self.change(id, key).posting = true;
        }
    }

    fn change(&mut self, id: u64, key: &[u8]) -> &mut ListChange {
        self.0.entry(id).or_default().entry(base(key).into()).or_default()
    }
}
