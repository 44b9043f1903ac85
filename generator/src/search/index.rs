//! (A sketch, until the real one is there.)

use std::sync::Arc;

use registry::names::Namespace;
use registry::public::{Id, Moment, PublicCatalog};

use super::PieceName;

/// A skill that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// Which.
    pub id: Id,
    /// How well it fits; the first hit need not have the largest.
    pub score: u64,
}

/// The index of a catalog's live skills.
#[derive(Default)]
pub struct Index {
    moment: Option<Moment>,
}

impl Index {
    /// Whether it is that of a catalog as it is.
    pub fn is_of(&self, catalog: &PublicCatalog) -> bool {
        self.moment == Some(catalog.moment())
    }

    /// Becomes that of a catalog as it is.
    pub fn catch_up(&mut self, catalog: &PublicCatalog) {
        self.moment = Some(catalog.moment());
    }

    /// The manifest, with the catalog's published counters.
    pub fn manifest(&self, _catalog: &PublicCatalog) -> Vec<u8> {
        b"SKSI\x01".to_vec()
    }

    /// The names of the pieces that the manifest leads to, in no order.
    pub fn pieces(&self) -> impl Iterator<Item = PieceName> {
        std::iter::empty()
    }

    /// The bytes of one of them. None for any other.
    pub fn piece(&self, _name: PieceName) -> Option<Arc<[u8]>> {
        None
    }

    /// The skills that a query finds, best first; at most a few thousand. A
    /// query without words finds nothing: [`Self::is_blank`].
    pub fn find(&self, catalog: &PublicCatalog, query: &str, namespace: Option<&Namespace>) -> Vec<Hit> {
        let in_it = |id: &Id| {
            let skill = catalog.skill_by_id(*id);
            namespace.is_none_or(|name| skill.is_some_and(|skill| skill.coordinate.namespace == *name))
        };
        let matching = catalog.skills().filter(|skill| {
            catalog.is_live(skill) && skill.face().is_some_and(|face| face.description.contains(query))
        });
        let mut ids: Vec<_> = matching.map(|skill| skill.id).filter(in_it).collect();
        ids.sort();
        ids.into_iter().map(|id| Hit { id, score: 1 }).collect()
    }

    /// Whether a query has no words: it asks for the newest skills.
    pub fn is_blank(query: &str) -> bool {
        !query.chars().any(char::is_alphanumeric)
    }
}
