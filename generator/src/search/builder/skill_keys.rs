//! The keys of a skill, each with its impact: the writer's half of ranking.

use std::collections::{BTreeMap, BTreeSet};

use registry::public::{Skill, VersionEntry};

use super::word_vectors::{meaning, neighbourhoods};
use crate::search::format::keys::Key;
use crate::search::format::meaning::Meaning;
use crate::search::words::{Gap, Word, compound, each_word, is_bigram, is_phrase, is_stop_word};

/// Number of code points of the prefixes that a word is found by.
const PREFIXES: std::ops::RangeInclusive<usize> = 2..=7;

/// A text of a skill that it is found by.
struct Field {
    /// Whether stop words count, and any neighbours are compounds.
    is_short: bool,
    /// Number of different words that the skill is found by. Each costs a file of the index.
    max_words: usize,
    /// Whether a word counts only once.
    is_set: bool,
    /// Weight of a word, in thousandths of one in a description of usual length.
    weight: u64,
    /// Usual length in words. Longer texts weigh less.
    usual_length: u64,
    /// How much of the weight depends on the length, in percent.
    length_share: u64,
}

const NAME: usize = 0;
const KEYWORDS: usize = 1;
const DESCRIPTION: usize = 2;
const HEADINGS: usize = 3;
const NAMESPACE: usize = 4;

const FIELDS: [Field; 5] = [
    Field {
        is_short: true,
        max_words: usize::MAX,
        is_set: true,
        weight: 4000,
        usual_length: 3,
        length_share: 60,
    },
    Field { is_short: true, max_words: 64, is_set: true, weight: 2500, usual_length: 8, length_share: 30 },
    Field {
        is_short: false,
        max_words: 160,
        is_set: false,
        weight: 1000,
        usual_length: 20,
        length_share: 85,
    },
    Field { is_short: false, max_words: 64, is_set: false, weight: 250, usual_length: 40, length_share: 50 },
    Field { is_short: true, max_words: 8, is_set: true, weight: 600, usual_length: 1, length_share: 0 },
];

/// How much a word counts for the meaning of a skill in each field.
const MEANING_WEIGHTS: [i64; FIELDS.len()] = [4, 3, 2, 0, 0];

/// Number of different words of its text that a skill is found by, and the impact of each.
const MAX_BODY_WORDS: usize = 32;
const BODY_IMPACT: u8 = 4;

/// The weight with half of the largest impact.
const HALF: u64 = 3000;

/// A number for each field: how often a word occurs in it, or its length in words.
type PerField = [u64; FIELDS.len()];

/// The keys of a skill, and its meaning. None if the skill has no version to show.
pub fn keys(skill: &Skill) -> Option<(BTreeMap<Vec<u8>, u8>, Meaning)> {
    let version = skill.latest()?;
    let counted = Counted::of(skill, version);
    let mut keys = BTreeMap::new();
    for (word, count) in &counted.words {
        let impact = impact(count, &counted.lengths);
        if counted.names.contains(word) {
            for prefix in prefixes(word) {
                let best: &mut u8 = keys.entry(Key::Prefix(prefix).encode()).or_default();
                *best = impact.max(*best);
            }
        }
        keys.insert(Key::Word(word).encode(), impact);
    }
    let body_words = counted.body_words(version);
    keys.extend(body_words.iter().map(|word| (Key::Body(word).encode(), BODY_IMPACT)));
    // All skills of a namespace are alike.
    keys.insert(Key::Namespace(skill.coordinate.namespace.as_str()).encode(), 1);
    let meaning = counted.meaning();
    keys.extend(
        neighbourhoods(meaning).iter().map(|bits| (Key::Neighbourhood(bits).encode(), chance(meaning))),
    );
    Some((keys, meaning))
}

/// The impact of a skill in its neighbourhoods: which ones of a crowded neighbourhood are found is left to chance, not
/// to age.
fn chance(meaning: Meaning) -> u8 {
    (meaning.0[7] >> 2).max(1)
}

/// The prefixes that a word is found by.
fn prefixes(word: &str) -> impl Iterator<Item = &str> {
    let length = word.chars().count();
    let ends = word.char_indices().enumerate().filter(|(chars, _)| PREFIXES.contains(chars));
    ends.filter(move |_| length >= 3).map(|(_, (end, _))| &word[..end])
}

/// The words of a skill.
#[derive(Default)]
struct Counted {
    /// How often each word or compound occurs in each field.
    words: BTreeMap<String, PerField>,
    /// The length of each field in words.
    lengths: PerField,
    /// The words of the name and keywords that are found by their prefixes.
    names: BTreeSet<String>,
}

impl Counted {
    fn of(skill: &Skill, version: &VersionEntry) -> Self {
        let mut counted = Self::default();
        let slug = skill.coordinate.slug.as_str();
        let name = Some(&*version.name).filter(|name| !is_title_of(name, slug));
        counted.add(NAME, [slug].into_iter().chain(name));
        counted.add(KEYWORDS, version.keywords.iter().map(|keyword| &**keyword));
        counted.add(DESCRIPTION, [&*version.description].into_iter());
        counted.add(HEADINGS, version.headings());
        counted.add(NAMESPACE, [skill.coordinate.namespace.as_str()].into_iter());
        counted.words.retain(|_, count| count.iter().any(|count| *count > 0));
        counted
    }

    /// What the words of name, keywords and description mean.
    fn meaning(&self) -> Meaning {
        meaning(self.words.iter().map(|(word, count)| {
            let weights = MEANING_WEIGHTS.iter().zip(count);
            (word.as_str(), weights.map(|(weight, count)| weight * i64::from(*count > 0)).sum())
        }))
    }

    /// The words of the text that the skill is not found by otherwise.
    fn body_words(&self, version: &VersionEntry) -> BTreeSet<String> {
        let mut words = BTreeSet::new();
        for text in version.body_words() {
            each_word(text, &mut |Word { text: word, .. }| {
                let is_new = !is_bigram(&word) && !self.words.contains_key(&*word);
                if is_new && words.len() < MAX_BODY_WORDS {
                    words.insert(word.into_owned());
                }
            });
        }
        words
    }

    /// Adds the texts of a field.
    fn add<'t>(&mut self, number: usize, texts: impl Iterator<Item = &'t str>) {
        let field = &FIELDS[number];
        let mut left = field.max_words;
        for text in texts {
            let mut before: Option<String> = None;
            each_word(text, &mut |Word { text: word, gap }| {
                if field.is_short || !is_stop_word(&word) {
                    let is_new = self.count(number, &word, &mut left);
                    // The name has a length in different words, because it often repeats the slug.
                    self.lengths[number] += u64::from(number != NAME || is_new);
                    if matches!(number, NAME | KEYWORDS) && !is_bigram(&word) && word.chars().count() >= 3 {
                        self.names.insert(word.clone().into_owned());
                    }
                }
                let pair = before.as_deref().and_then(|before| compound(before, &word));
                if let Some(pair) = pair
                    && (field.is_short || gap == Gap::Hyphen || is_phrase(&pair))
                {
                    self.count(number, &pair, &mut left);
                }
                before = Some(word.into_owned());
            });
        }
    }

    /// Counts a word in a field, if there is room for it. Returns whether it is the first time.
    fn count(&mut self, number: usize, word: &str, left: &mut usize) -> bool {
        let count = match self.words.get_mut(word) {
            Some(count) => &mut count[number],
            None => &mut self.words.entry(word.to_owned()).or_default()[number],
        };
        let is_new = *count == 0;
        if !is_new || *left > 0 {
            *left -= usize::from(is_new);
            *count = if FIELDS[number].is_set { 1 } else { *count + 1 };
        }
        is_new
    }
}

/// Whether a name is the slug in title case, which is the default name.
pub fn is_title_of(name: &str, slug: &str) -> bool {
    let parts = slug.split('-').filter(|part| !part.is_empty());
    let title = parts.enumerate().flat_map(|(at, part)| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        (at > 0).then_some(' ').into_iter().chain(first).chain(letters)
    });
    title.eq(name.chars())
}

/// Weight of a word in a skill, 1 to 63.
///
/// As in BM25F, the weights of the fields are added before they saturate, and a word among
/// few weighs more than one among many. The numbers were tuned on one half of the queries of
/// `benches/search`. Lengths are compared with usual ones instead of the mean, because every
/// change would move the mean.
fn impact(count: &PerField, lengths: &PerField) -> u8 {
    let weights = FIELDS.iter().zip(count.iter().zip(lengths)).map(|(field, (count, length))| {
        let Field { weight, usual_length: usual, length_share: share, .. } = field;
        count * weight * usual * 100 / (usual * (100 - share) + length * share).max(1)
    });
    let weight: u64 = weights.sum();
    (63 * weight / (weight + HALF)).clamp(1, 63) as u8
}
