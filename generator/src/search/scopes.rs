//! The namespaces of a long list's skills, each of which has a list of its own.

use std::collections::HashMap;
use std::sync::Arc;

use super::edges::Edges;

/// The names of namespaces, by their numbers.
pub(super) type Names<'a> = &'a [Arc<str>];

/// The namespaces of a long list's skills.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// Their numbers, by their names.
    pub order: Vec<u32>,
    /// Where the lists are cut of those that are.
    edges: HashMap<u32, Edges>,
}

impl Scopes {
    /// The namespaces that have lists: where there is one alone, its list would be
    /// that of all.
    pub fn listed(&self) -> &[u32] {
        if self.order.len() > 1 { &self.order } else { &[] }
    }

    pub fn edges(&self, namespace: u32) -> Edges {
        self.edges.get(&namespace).copied().unwrap_or_default()
    }

    pub fn keep(&mut self, namespace: u32, edges: Edges) {
        if edges == Edges::default() {
            self.edges.remove(&namespace);
        } else {
            self.edges.insert(namespace, edges);
        }
    }

    /// Takes in whether a namespace has skills. Returns it where it has none any more.
    pub fn place(&mut self, namespace: u32, has_skills: bool, names: Names<'_>) -> Option<u32> {
        let name = |number: u32| &*names[number as usize];
        match (self.order.binary_search_by(|number| name(*number).cmp(name(namespace))), has_skills) {
            (Err(at), true) => {
                self.order.insert(at, namespace);
                None
            }
            (Ok(at), false) => Some(self.order.remove(at)),
            _ => None,
        }
    }
}
