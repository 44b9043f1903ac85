//! How a skill is found: by which keys, and where it stands under them.

use std::sync::Arc;

use crate::search::members::Members;
use crate::search::packed::Member;
use crate::search::piece::{Card, PREFIX, base, prefix_of};
use crate::search::posting_list::{PostingList, Standing};
use crate::search::ranking::{idf, slug_of};
use crate::search::word_lists::ALSO_BEGUN;
use crate::search::words::words;

/// A key that leads to a skill.
#[derive(Debug)]
pub struct Sight {
    pub key: Arc<[u8]>,
    standing: Standing,
}

impl Sight {
    /// The word, where it is one.
    pub fn word(&self) -> Option<&str> {
        std::str::from_utf8(base(&self.key)).ok()
    }

    /// Whether the skill is among its best: a candidate for who asks for the word.
    pub fn is_best(&self) -> bool {
        self.standing.is_best
    }
}

/// All keys that lead to a skill, in order.
#[derive(Debug, Default)]
pub struct Sights(pub Vec<Sight>);

impl Sights {
    /// Those by which it is a candidate.
    pub fn best(&self) -> impl Iterator<Item = &Sight> {
        self.0.iter().filter(|sight| sight.is_best())
    }

    /// The words that it is a candidate for, each once.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        // A word's own key and that of its prefix are neighbours.
        let mut last = None;
        self.best().filter_map(Sight::word).filter(move |word| last.replace(*word) != Some(*word))
    }
}

/// A skill that is looked at.
pub struct Looked<'a> {
    pub members: &'a Members,
    member: Member,
    /// That of the number of skills.
    octave: u64,
    /// Whether more counts than what it is found by.
    is_popular: bool,
    /// What it is called, in one word.
    exact: Vec<String>,
}

impl<'a> Looked<'a> {
    /// None where it is not live.
    pub fn new(members: &'a Members, id: u64, octave: u64, is_popular: bool) -> Option<Self> {
        let member = members.member(id)?;
        let exact = members.card(id).map(|card| exact(&card));
        let is_popular = is_popular || exact.is_none();
        Some(Self { members, member, octave, is_popular, exact: exact.unwrap_or_default() })
    }

    /// The keys that lead to it.
    pub fn sights(&self) -> Sights {
        let keys = self.members.keys(self.member.id);
        let sight =
            |(key, list): (&Arc<[u8]>, &PostingList)| Some((Arc::clone(key), list.standing(self.member)?));
        Sights(keys.filter_map(sight).map(|(key, standing)| Sight { key, standing }).collect())
    }

    /// Whether it may be one of the first for who asks for a word alone, if it is a
    /// candidate.
    pub fn may_lead(&self, word: &[u8]) -> bool {
        [word, &prefix_of(word)].into_iter().any(|key| {
            let standing = self.members.postings.get(key).and_then(|list| list.standing(self.member));
            standing.is_some_and(|standing| self.leads(key, standing))
        })
    }

    /// The same by one key, under which it stands so.
    pub fn may_lead_by(&self, sight: &Sight) -> bool {
        self.leads(&sight.key, sight.standing)
    }

    fn leads(&self, key: &[u8], standing: Standing) -> bool {
        let word = base(key);
        if self.is_popular || self.exact.iter().any(|exact| exact.as_bytes() == word) {
            return true;
        }
        // Otherwise as many stand before it as are shown: by each list those that weigh
        // more, or as much and have smaller ids; what else counts only lifts them.
        if !standing.is_shown {
            return false;
        }
        let postings = &self.members.postings;
        let least = postings.get(word).and_then(|own| Some(self.idf(own) * u64::from(own.least_shown()?)));
        match (least, postings.get(key)) {
            // What only begins with the word weighs less than the word.
            (Some(least), Some(list)) if key.ends_with(&[PREFIX]) => {
                least <= self.idf(list) * u64::from(standing.impact) * ALSO_BEGUN / 16
            }
            _ => true,
        }
    }

    fn idf(&self, list: &PostingList) -> u64 {
        idf(self.octave, list.len() as u64)
    }
}

/// The words of which a skill's slug or name is one: it comes first where they are asked for.
fn exact(card: &Card<'_>) -> Vec<String> {
    let name = Some(words(card.name)).filter(|words| words.len() == 1);
    std::iter::once(slug_of(card.slug).to_owned()).chain(name.into_iter().flatten()).collect()
}
