//! The namespaces of a long list, each of which has a list of its own in the files.

use std::collections::HashMap;
use std::sync::Arc;

use super::cutoff::Cutoffs;

/// The names of namespaces, by their numbers.
pub type NamespaceNames<'a> = &'a [Arc<str>];

/// The namespaces of the skills of a long list.
#[derive(Debug, Default)]
pub struct NamespaceCutoffs {
    /// Their numbers, sorted by name.
    pub order: Vec<u32>,
    /// The cutoffs of those that are cut off.
    cutoffs: HashMap<u32, Cutoffs>,
}

impl NamespaceCutoffs {
    /// The namespaces that have lists. A single namespace has none, because it would be the
    /// list of all skills.
    pub fn listed(&self) -> &[u32] {
        if self.order.len() > 1 { &self.order } else { &[] }
    }

    pub fn get(&self, namespace: u32) -> Cutoffs {
        self.cutoffs.get(&namespace).copied().unwrap_or_default()
    }

    pub fn set(&mut self, namespace: u32, cutoffs: Cutoffs) {
        if cutoffs == Cutoffs::default() {
            self.cutoffs.remove(&namespace);
        } else {
            self.cutoffs.insert(namespace, cutoffs);
        }
    }

    /// Adds a namespace that has skills, or removes one that has none. Returns whether it was
    /// removed.
    pub fn set_listed(&mut self, namespace: u32, has_skills: bool, names: NamespaceNames<'_>) -> bool {
        let name = |number: u32| &*names[number as usize];
        let found = self.order.binary_search_by(|number| name(*number).cmp(name(namespace)));
        match (found, has_skills) {
            (Err(at), true) => self.order.insert(at, namespace),
            (Ok(at), false) => {
                self.order.remove(at);
                return true;
            }
            _ => {}
        }
        false
    }
}
