//! The live skills of an index: their keys and cards.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use registry::public::Skill;

use super::changes::IndexChanges;
use super::key_group::{PieceInput, StoredCard};
use super::namespace_cutoffs::NamespaceNames;
use super::packed_posting::{MAX_NAMESPACES, SkillRef};
use super::posting_list::ListEffect;
use super::postings::{KeyNumber, Postings};
use super::skill_keys::{is_title_of, keys};
use crate::search::format::piece::Card;

/// The live skills.
#[derive(Default)]
pub struct LiveSkills {
    pub postings: Postings,
    cards: HashMap<u64, StoredCard>,
    /// The keys of each skill, with its impacts.
    keys: HashMap<u64, Box<[(KeyNumber, u8)]>>,
    /// All namespaces ever seen, by their numbers.
    namespaces: Vec<Arc<str>>,
    numbers: HashMap<Arc<str>, u32>,
}

/// Number of skills whose keys are found at once, so that memory never has those of all.
const BATCH: usize = 4096;

impl LiveSkills {
    /// Adds all skills at once. They are by id.
    pub fn of(skills: &[&Skill]) -> Self {
        let mut live = Self::default();
        for skill in skills {
            let card = live.card_of(skill);
            live.cards.insert(skill.id.0, card);
        }
        let cards = &live.cards;
        let skill_ref = |id| SkillRef { id, namespace: cards.get(&id).map_or(0, |card| card.namespace) };
        let keyed = keys_of_all(skills).map(|(id, keys)| (skill_ref(id), keys));
        let of_skill = &mut live.keys;
        live.postings = Postings::of(keyed, &live.namespaces, |id, keys| {
            of_skill.insert(id, keys);
        });
        live
    }

    /// Number of skills.
    pub fn len(&self) -> u64 {
        self.cards.len() as u64
    }

    /// Whether so many namespaces were seen that the index has to be rebuilt.
    pub fn needs_rebuild(&self) -> bool {
        self.namespaces.len() >= MAX_NAMESPACES
    }

    /// Everything that pieces are made of.
    pub fn piece_input(&self) -> PieceInput<'_> {
        PieceInput { postings: &self.postings, cards: &self.cards, namespaces: &self.namespaces }
    }

    /// The keys of a skill, in order.
    pub fn keys(&self, id: u64) -> impl Iterator<Item = &Arc<[u8]>> {
        self.keys.get(&id).into_iter().flatten().map(|(number, _)| self.postings.key(*number))
    }

    /// Makes the card of a skill, and numbers its namespace.
    fn card_of(&mut self, skill: &Skill) -> StoredCard {
        let coordinate = &skill.coordinate;
        let name = skill.latest().map_or("", |version| &*version.name);
        let name = if is_title_of(name, coordinate.slug.as_str()) { "" } else { name };
        let bytes = Card { slug: &coordinate.to_string(), name }.encode().into();
        let namespace = coordinate.namespace.as_str();
        let namespace = self.numbers.get(namespace).copied().unwrap_or_else(|| {
            let (name, number) = (Arc::<str>::from(namespace), self.namespaces.len() as u32);
            self.namespaces.push(Arc::clone(&name));
            self.numbers.insert(name, number);
            number
        });
        StoredCard { bytes, namespace }
    }

    /// Updates a skill. `live` is None if it is not live.
    pub fn update(&mut self, id: u64, live: Option<&Skill>, changes: &mut IndexChanges) {
        let new_card = live.map(|skill| self.card_of(skill));
        let new_keys = live.and_then(keys).unwrap_or_default();
        let old_keys = self.keys.remove(&id).unwrap_or_default();
        let old_card = self.cards.remove(&id);
        let is_same_card = old_card == new_card;
        let [old_skill, skill] = [&old_card, &new_card].map(|card| {
            let namespace = card.as_ref().map_or(0, |card| card.namespace);
            SkillRef { id, namespace }
        });
        let names: NamespaceNames<'_> = &self.namespaces;
        let mut kept = BTreeMap::new();
        for (number, impact) in &old_keys {
            let key = Arc::clone(self.postings.key(*number));
            let new = new_keys.get(&*key).filter(|_| old_skill.namespace == skill.namespace);
            let mut effect = match new {
                Some(new) if new == impact => ListEffect::default(),
                Some(new) => self.postings.put(*number, skill, *new, names),
                None => self.postings.remove(*number, old_skill, names),
            };
            if new.is_some() {
                if !is_same_card {
                    effect.card_changed(self.postings.list(*number).is_candidate(skill), skill);
                }
                kept.insert(Arc::clone(&key), *number);
            }
            changes.add(&key, effect, names, new != Some(impact));
        }
        let keys = new_keys.into_iter().map(|(key, impact)| {
            let number = kept.get(key.as_slice()).copied().unwrap_or_else(|| {
                let number = self.postings.number(&key);
                changes.add(&key, self.postings.put(number, skill, impact, names), names, true);
                number
            });
            (number, impact)
        });
        let keys: Box<[_]> = keys.collect();
        if let Some(card) = new_card {
            self.keys.insert(id, keys);
            self.cards.insert(id, card);
        }
    }
}

/// The keys of all skills, in their order, found by two threads.
///
/// Not by rayon: the caller holds the lock of the index. A thread of rayon that waits runs
/// other tasks meanwhile, and one of these may wait for that lock.
fn keys_of_all<'a>(skills: &'a [&'a Skill]) -> impl Iterator<Item = (u64, BTreeMap<Vec<u8>, u8>)> + 'a {
    let keys_of = |skills: &[&Skill]| -> Vec<_> {
        skills.iter().filter_map(|skill| Some((skill.id.0, keys(skill)?))).collect()
    };
    skills.chunks(BATCH).flat_map(move |batch| {
        let (first, second) = batch.split_at(batch.len() / 2);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().spawn_scoped(scope, || keys_of(second));
            let mut all = keys_of(first);
            // If the second thread cannot be started, the first one does it all.
            let rest = thread.ok().and_then(|thread| thread.join().ok());
            all.extend(rest.unwrap_or_else(|| keys_of(second)));
            all
        })
    })
}
