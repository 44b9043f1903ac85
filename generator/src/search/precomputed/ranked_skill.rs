//! How a skill is found: by which keys, and at which position of their lists.

use std::sync::Arc;

use crate::search::build::{ListPosition, LiveSkills, PostingList, SkillRef};
use crate::search::format::keys::{base, is_prefix, prefix_of};
use crate::search::format::piece::Card;
use crate::search::query::ranking::{idf, slug_of};
use crate::search::query::terms::PREFIX_OF_WORD;
use crate::search::words::words;

/// A key of a skill.
#[derive(Debug)]
pub struct KeyMatch {
    pub key: Arc<[u8]>,
    position: ListPosition,
}

impl KeyMatch {
    /// The word or prefix of the key, if it is UTF-8.
    pub fn word(&self) -> Option<&str> {
        std::str::from_utf8(base(&self.key)).ok()
    }

    /// Whether the skill is a candidate by this key.
    pub fn is_candidate(&self) -> bool {
        self.position.is_candidate
    }
}

/// All keys of a skill, in order.
#[derive(Debug, Default)]
pub struct KeyMatches(pub Vec<KeyMatch>);

impl KeyMatches {
    /// The keys by which the skill is a candidate.
    pub fn candidates(&self) -> impl Iterator<Item = &KeyMatch> {
        self.0.iter().filter(|key| key.is_candidate())
    }

    /// The words and prefixes for which the skill is a candidate, each once.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        // The key of a word and that of its prefix are neighbours.
        let mut last = None;
        self.candidates().filter_map(KeyMatch::word).filter(move |word| last.replace(*word) != Some(*word))
    }
}

/// A live skill, and what decides its place in answers.
pub struct RankedSkill<'a> {
    pub skills: &'a LiveSkills,
    skill: SkillRef,
    /// That of the index.
    size_class: u64,
    /// Whether its score is more than the value of its words.
    is_popular: bool,
    /// The words that equal its slug or its name.
    exact: Vec<String>,
}

impl<'a> RankedSkill<'a> {
    /// None if the skill is not live.
    pub fn new(skills: &'a LiveSkills, id: u64, size_class: u64, is_popular: bool) -> Option<Self> {
        let skill = skills.get(id)?;
        let exact = skills.card(id).map(|card| exact_words(&card));
        let is_popular = is_popular || exact.is_none();
        Some(Self { skills, skill, size_class, is_popular, exact: exact.unwrap_or_default() })
    }

    /// The keys of the skill.
    pub fn matches(&self) -> KeyMatches {
        let keys = self.skills.keys(self.skill.id);
        let matches = keys.filter_map(|(key, list)| {
            Some(KeyMatch { key: Arc::clone(key), position: list.position(self.skill)? })
        });
        KeyMatches(matches.collect())
    }

    /// Whether the answer to a word may show the skill, if it is a candidate.
    pub fn may_be_shown(&self, word: &[u8]) -> bool {
        [word, &prefix_of(word)].into_iter().any(|key| {
            let position = self.skills.postings.get(key).and_then(|list| list.position(self.skill));
            position.is_some_and(|position| self.may_be_shown_at(key, position))
        })
    }

    /// Whether the answer to the word of a key may show the skill because of this key.
    pub fn may_be_shown_by(&self, key: &KeyMatch) -> bool {
        self.may_be_shown_at(&key.key, key.position)
    }

    fn may_be_shown_at(&self, key: &[u8], position: ListPosition) -> bool {
        let word = base(key);
        if self.is_popular || self.exact.iter().any(|exact| exact.as_bytes() == word) {
            return true;
        }
        // Otherwise a skill after the shown ones of the list stays after them. They have larger
        // impacts, or equal ones and smaller ids, and all else only raises their scores.
        if !position.is_shown {
            return false;
        }
        let postings = &self.skills.postings;
        let last_value =
            postings.get(word).and_then(|own| Some(self.idf(own) * u64::from(own.last_shown_impact()?)));
        match (last_value, postings.get(key)) {
            // A skill that has only the prefix has a smaller value than one that has the word.
            (Some(last_value), Some(list)) if is_prefix(key) => {
                last_value <= self.idf(list) * u64::from(position.impact) * PREFIX_OF_WORD / 16
            }
            _ => true,
        }
    }

    fn idf(&self, list: &PostingList) -> u64 {
        idf(self.size_class, list.len() as u64)
    }
}

/// The words whose answers show a skill first, because its slug or name is that word.
fn exact_words(card: &Card<'_>) -> Vec<String> {
    let name = Some(words(card.name)).filter(|words| words.len() == 1);
    std::iter::once(slug_of(card.slug).to_owned()).chain(name.into_iter().flatten()).collect()
}
