//! The keys of a skill, each with its impact: the writer's half of ranking.

use std::collections::BTreeMap;

use registry::public::{Skill, VersionEntry};

use crate::search::format::keys::key_of;
use crate::search::words::{each_word, is_bigram, is_stop_word, words};

/// Number of code points of the prefixes that a word is found by.
const PREFIXES: std::ops::RangeInclusive<usize> = 2..=7;

/// A text of a skill that it is found by.
struct Field {
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

const FIELDS: [Field; 4] = [
    Field { max_words: usize::MAX, is_set: true, weight: 6000, usual_length: 3, length_share: 60 },
    Field { max_words: 64, is_set: true, weight: 2500, usual_length: 8, length_share: 30 },
    Field { max_words: 160, is_set: false, weight: 1000, usual_length: 20, length_share: 85 },
    Field { max_words: 64, is_set: false, weight: 400, usual_length: 40, length_share: 50 },
];

/// The weight with half of the largest impact.
const HALF: u64 = 3000;

/// A number for each field: how often a word occurs in it, or its length in words.
type PerField = [u64; FIELDS.len()];

/// The keys of a skill. None if the skill has no version to show.
pub fn keys(skill: &Skill) -> Option<BTreeMap<Vec<u8>, u8>> {
    let (counts, lengths) = count(skill, skill.latest()?);
    let mut keys = BTreeMap::new();
    for (word, count) in &counts {
        let impact = impact(count, &lengths);
        if count[NAME] + count[KEYWORDS] > 0 && !is_bigram(word) {
            for prefix in prefixes(word) {
                let best: &mut u8 = keys.entry(key_of(prefix, true, None)).or_default();
                *best = impact.max(*best);
            }
        }
        keys.insert(key_of(word, false, None), impact);
    }
    Some(keys)
}

/// The prefixes that a word is found by.
fn prefixes(word: &str) -> impl Iterator<Item = &str> {
    let length = word.chars().count();
    let ends = word.char_indices().enumerate().filter(|(chars, _)| PREFIXES.contains(chars));
    ends.filter(move |_| length >= 3).map(|(_, (end, _))| &word[..end])
}

/// How often each word occurs in each field, and the lengths of the fields.
fn count(skill: &Skill, version: &VersionEntry) -> (BTreeMap<String, PerField>, PerField) {
    let (mut counts, mut lengths) = (BTreeMap::<String, PerField>::new(), PerField::default());
    let slug = skill.coordinate.slug.as_str();
    for word in words(slug) {
        lengths[NAME] += 1;
        counts.entry(word).or_default()[NAME] = 1;
    }
    let name = Some(&*version.name).filter(|name| !is_title_of(name, slug));
    for word in name.map(words).unwrap_or_default() {
        let count = counts.entry(word).or_default();
        lengths[NAME] += 1 - count[NAME];
        count[NAME] = 1;
    }
    let mut add = |field: usize, texts: &mut dyn Iterator<Item = &str>| {
        let Field { max_words: mut left, is_set, .. } = FIELDS[field];
        texts.for_each(|text| {
            each_word(text, &mut |word| {
                if is_stop_word(word) {
                    return;
                }
                lengths[field] += 1;
                let count = match counts.get_mut(word) {
                    Some(count) => count,
                    None => counts.entry(word.to_owned()).or_default(),
                };
                let is_new = count[field] == 0;
                if !is_new || left > 0 {
                    left -= usize::from(is_new);
                    count[field] = if is_set { 1 } else { count[field] + 1 };
                }
            });
        });
    };
    add(KEYWORDS, &mut version.keywords.iter().map(|keyword| &**keyword));
    add(DESCRIPTION, &mut std::iter::once(&*version.description));
    add(HEADINGS, &mut version.headings());
    counts.retain(|_, count| count.iter().any(|count| *count > 0));
    (counts, lengths)
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
