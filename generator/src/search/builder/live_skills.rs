//! The live skills of an index: their keys and cards.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use registry::public::{Skill, VersionEntry};

use super::changes::IndexChanges;
use super::key_group::gives_details;
use super::piece_input::{PieceInput, StoredCard};
use super::postings::{KeyNumber, Postings};
use super::skill_keys::{is_title_of, keys};
use super::two_threads::by_two_threads;
use crate::search::format::keys::is_body;
use crate::search::format::meaning::Meaning;
use crate::search::format::piece::{Card, Details, shortened};

/// The live skills.
#[derive(Default)]
pub struct LiveSkills {
    pub postings: Postings,
    cards: HashMap<u64, StoredCard>,
    /// The keys of each skill.
    keys: HashMap<u64, Box<[KeyNumber]>>,
}

/// Number of skills that are read at once, so that memory never has those of all.
const BATCH: usize = 4096;

impl LiveSkills {
    /// Adds all skills at once. They are by id.
    pub fn of(skills: &[&Skill]) -> Self {
        let (mut cards, mut of_skill) = (HashMap::new(), HashMap::new());
        let keys = indexed(skills).map(|(id, IndexedSkill { keys, card })| {
            cards.insert(id, card);
            (id, keys)
        });
        let postings = Postings::of(keys, |id, keys| {
            of_skill.insert(id, keys);
        });
        Self { postings, cards, keys: of_skill }
    }

    /// Number of skills.
    pub fn len(&self) -> u64 {
        self.cards.len() as u64
    }

    /// Everything that pieces are made of.
    pub fn piece_input(&self) -> PieceInput<'_> {
        PieceInput { postings: &self.postings, cards: &self.cards }
    }

    /// The keys of a skill, in no order.
    pub fn keys(&self, id: u64) -> impl Iterator<Item = &Arc<[u8]>> {
        self.keys.get(&id).into_iter().flatten().map(|number| self.postings.key(*number))
    }

    /// Updates a skill. `live` is None if it is not live.
    pub fn update(&mut self, id: u64, live: Option<&Skill>, changes: &mut IndexChanges) {
        let new = live.and_then(IndexedSkill::of).map(|IndexedSkill { keys, card }| (keys, card));
        let (mut new_keys, new_card) = new.unzip();
        let old_keys = self.keys.remove(&id).unwrap_or_default();
        let old_card = self.cards.remove(&id);
        let is_same_card = |has_details: bool| {
            let cards = old_card.as_ref().zip(new_card.as_ref());
            cards.is_some_and(|(old, new)| old.is_same(new, has_details))
        };
        let mut kept = Vec::new();
        for number in &old_keys {
            let key = Arc::clone(self.postings.key(*number));
            let is_changed = match new_keys.as_mut().and_then(|keys| keys.remove(&*key)) {
                Some(new) => {
                    kept.push(*number);
                    let has_other_card = !is_body(&key) && !is_same_card(gives_details(&key, new));
                    let is_shown = has_other_card && self.postings.list(*number).has_card(id);
                    self.postings.put(*number, id, new) || is_shown
                }
                None => {
                    let is_changed = self.postings.remove(*number, id);
                    changes.keys.insert(Arc::clone(&key));
                    is_changed
                }
            };
            if is_changed {
                changes.note_group(&key);
            }
        }
        for (key, impact) in new_keys.unwrap_or_default() {
            let number = self.postings.number(&key);
            if self.postings.put(number, id, impact) {
                changes.note_group(&key);
            }
            changes.keys.insert(key.into());
            kept.push(number);
        }
        if let Some(card) = new_card {
            self.keys.insert(id, kept.into());
            self.cards.insert(id, card);
        }
    }
}

/// What the index has of a skill.
struct IndexedSkill {
    keys: BTreeMap<Vec<u8>, u8>,
    card: StoredCard,
}

impl IndexedSkill {
    /// None if the skill has no version to show.
    fn of(skill: &Skill) -> Option<Self> {
        let (keys, meaning) = keys(skill)?;
        Some(Self { keys, card: card_of(skill, skill.latest()?, meaning) })
    }
}

/// The card of a skill whose latest version and meaning these are.
fn card_of(skill: &Skill, latest: &VersionEntry, meaning: Meaning) -> StoredCard {
    let slug = skill.coordinate.to_string();
    let name = if is_title_of(&latest.name, skill.coordinate.slug.as_str()) { "" } else { &latest.name };
    let (version, description) = (latest.version.to_string(), shortened(&latest.description));
    let details = Some(Details { version: &version, description: &description });
    StoredCard::new(&Card { slug: &slug, name, meaning, details })
}

/// What the index has of some skills, in their order.
fn indexed<'a>(skills: &'a [&'a Skill]) -> impl Iterator<Item = (u64, IndexedSkill)> + 'a {
    let indexed = |skills: &[&Skill]| -> Vec<_> {
        skills.iter().filter_map(|skill| Some((skill.id.0, IndexedSkill::of(skill)?))).collect()
    };
    skills.chunks(BATCH).flat_map(move |batch| {
        let (first, second) = batch.split_at(batch.len() / 2);
        by_two_threads(|| indexed(first), || indexed(second)).into_iter().flatten()
    })
}
