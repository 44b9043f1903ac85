//! How a skill is found: by which keys, and where it stands under them.

use std::sync::Arc;

use crate::search::members::Members;
use crate::search::packed::Member;
use crate::search::piece::{Card, PREFIX, base};
use crate::search::posting_list::PostingList;
use crate::search::ranking::{idf, slug_of};
use crate::search::words::{LONGEST, words};

/// A key that leads to a skill.
#[derive(Debug)]
pub struct Sight {
    pub key: Arc<[u8]>,
    /// Whether the skill is among its best: a candidate for who asks for the word.
    pub is_best: bool,
    /// Whether it may be one of the first for who asks for the word alone, if it is a candidate.
    pub is_first: bool,
}

impl Sight {
    /// The word, where it is one.
    pub fn word(&self) -> Option<&str> {
        std::str::from_utf8(base(&self.key)).ok()
    }
}

/// How a skill is looked at.
pub struct Looked<'a> {
    members: &'a Members,
    member: Member,
    /// That of the number of skills.
    octave: u64,
    /// Whether it comes before others of equal weight.
    is_popular: bool,
    /// What it is called.
    exact: Vec<String>,
}

impl<'a> Looked<'a> {
    /// None where it is not live.
    pub fn new(members: &'a Members, id: u64, octave: u64, is_popular: bool) -> Option<Self> {
        let member = members.member(id)?;
        let exact = members.card(id).map_or(Vec::new(), |card| exact(&card));
        Some(Self { members, member, octave, is_popular, exact })
    }

    /// How it is found by a key. None where it is not.
    pub fn by(&self, key: &Arc<[u8]>, list: &PostingList) -> Option<Sight> {
        let standing = list.standing(self.member)?;
        let word = base(key);
        let is_first = self.is_popular
            || self.exact.iter().any(|exact| exact.as_bytes() == word)
            || if key.ends_with(&[PREFIX]) {
                // As in an answer, which counts what a word begins in sixteenths.
                let value = self.idf(list) * u64::from(standing.impact) * 6 / 16;
                let own = self.members.postings.get(word);
                let least = own.and_then(|own| Some(self.idf(own) * u64::from(own.least_shown()?)));
                least.is_none_or(|least| least <= value)
            } else {
                // Else so many come before it: none weighs less, of equal ones none has
                // a larger id.
                standing.is_shown
            };
        Some(Sight { key: Arc::clone(key), is_best: standing.is_best, is_first })
    }

    fn idf(&self, list: &PostingList) -> u64 {
        idf(self.octave, list.len() as u64)
    }
}

/// All keys that lead to a skill, in order.
#[derive(Debug, Default)]
pub struct Sights(pub Vec<Sight>);

impl Sights {
    /// Those of a skill.
    pub fn of(looked: &Looked<'_>) -> Self {
        let keys = looked.members.keys(looked.member.id);
        Self(keys.filter_map(|(key, list)| looked.by(key, list)).collect())
    }

    /// The words that may show it.
    pub fn shown(&self) -> impl Iterator<Item = &str> {
        let shown = self.0.iter().filter(|sight| sight.is_best && sight.is_first);
        shown.filter_map(Sight::word)
    }

    /// The words that it is a candidate for, each once.
    pub fn candidate(&self) -> impl Iterator<Item = &str> {
        let best = self.0.iter().filter(|sight| sight.is_best).filter_map(Sight::word);
        // A word's own key and that of its prefix are neighbours.
        let mut last = None;
        best.filter(move |word| last.replace(*word) != Some(*word))
    }
}

/// The words of which a skill's slug or name is one: it comes first where they are asked for.
fn exact(card: &Card<'_>) -> Vec<String> {
    let slug = slug_of(card.slug);
    // Where a name says what the slug says, not all of a long part counts.
    let name = if card.name.is_empty() && slug.len() > LONGEST { slug } else { card.name };
    let name = Some(words(name)).filter(|words| words.len() == 1);
    std::iter::once(slug.to_owned()).chain(name.into_iter().flatten()).collect()
}
