//! (A sketch, until the real one is there.)

use std::collections::BTreeMap;
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
    /// A piece for each live skill, by its canonical slug.
    keys: BTreeMap<String, PieceName>,
    pieces: BTreeMap<PieceName, Arc<[u8]>>,
}

fn varint(mut number: u64, to: &mut Vec<u8>) {
    while number > 127 {
        to.push(number as u8 | 128);
        number >>= 7;
    }
    to.push(number as u8);
}

impl Index {
    /// Whether it is that of a catalog as it is.
    pub fn is_of(&self, catalog: &PublicCatalog) -> bool {
        self.moment == Some(catalog.moment())
    }

    /// Becomes that of a catalog as it is.
    pub fn catch_up(&mut self, catalog: &PublicCatalog) {
        if self.is_of(catalog) {
            return;
        }
        self.moment = Some(catalog.moment());
        (self.keys, self.pieces) = Default::default();
        for skill in catalog.skills().filter(|skill| catalog.is_live(skill)) {
            let Some(face) = skill.face() else { continue };
            let bytes = format!("{} {}\n", skill.coordinate, face.version).into_bytes();
            let name = PieceName::of(&bytes);
            self.keys.insert(skill.coordinate.to_string(), name);
            self.pieces.insert(name, bytes.into());
        }
    }

    /// The manifest, with the catalog's published counters.
    pub fn manifest(&self, catalog: &PublicCatalog) -> Vec<u8> {
        let mut to = b"SKSI\x01".to_vec();
        varint(self.keys.len() as u64, &mut to);
        let mut counted: Vec<_> = catalog.skills().filter(|skill| catalog.is_live(skill)).collect();
        counted.retain(|skill| skill.counters.downloads + skill.counters.stars > 0);
        counted.sort_by_key(|skill| skill.id);
        varint(counted.len() as u64, &mut to);
        let mut before = 0;
        for skill in counted {
            varint(skill.id.0 - before, &mut to);
            to.push(1);
            before = skill.id.0;
        }
        to.extend([0; 64 * 8]);
        varint(self.keys.len() as u64, &mut to);
        for (key, name) in &self.keys {
            varint(0, &mut to);
            varint(key.len() as u64, &mut to);
            to.extend(key.as_bytes());
            to.extend(name.0);
        }
        to
    }

    /// The names of the pieces that the manifest leads to, in no order.
    pub fn pieces(&self) -> impl Iterator<Item = PieceName> {
        self.pieces.keys().copied()
    }

    /// The bytes of one of them. None for any other.
    pub fn piece(&self, name: PieceName) -> Option<Arc<[u8]>> {
        self.pieces.get(&name).cloned()
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
