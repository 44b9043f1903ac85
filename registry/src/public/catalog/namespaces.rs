//! The namespaces of the catalog.

use super::{NamespaceEntry, PublicCatalog};
use crate::names::Namespace;

impl PublicCatalog {
    /// The namespace with this name.
    pub fn namespace(&self, name: &Namespace) -> Option<&NamespaceEntry> {
        self.namespaces.get(name)
    }

    /// All namespaces by name, including archived ones.
    pub fn namespaces(&self) -> impl ExactSizeIterator<Item = &NamespaceEntry> {
        self.namespaces.values()
    }

    /// The number of listed namespaces.
    pub fn listed_namespaces(&self) -> usize {
        self.listed_namespaces.len()
    }

    /// The listed namespaces, the largest first, then by name.
    pub fn largest_namespaces(&self) -> impl Iterator<Item = &NamespaceEntry> {
        self.listed_namespaces.iter().filter_map(|(_, name)| self.namespaces.get(name))
    }
}
