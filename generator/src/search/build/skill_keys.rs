//! The keys of a skill, each with its impact: the writer's half of ranking.

use std::collections::BTreeMap;

use registry::public::{Skill, VersionEntry};

use crate::search::format::keys::key_of;
use crate::search::words::{each_word, is_bigram, is_stop_word, words};

/// Number of code points of the prefixes that a word is found by.
const PREFIXES: std::ops::RangeInclusive<usize> = 2..=7;

/// Number of different words of the keywords, the description and the headings that a skill
/// is found by. Each costs a file of the index.
const MAX_KEYWORD_WORDS: usize = 64;
const MAX_DESCRIPTION_WORDS: usize = 160;
const MAX_HEADING_WORDS: usize = 64;

/// A number for each text of a skill: how often a word occurs in it, or its length in words.
#[derive(Default, Clone, Copy)]
struct PerField {
    name: u64,
    keywords: u64,
    description: u64,
    headings: u64,
}

/// The keys of a skill. None if the skill has no version to show.
pub fn keys(skill: &Skill) -> Option<BTreeMap<Vec<u8>, u8>> {
    let (counts, lengths) = count(skill, skill.latest()?);
    let mut keys = BTreeMap::new();
    for (word, count) in &counts {
        let impact = impact(count, &lengths);
        if count.name + count.keywords > 0 && !is_bigram(word) {
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

/// How often each word occurs in each text, and the lengths of the texts.
fn count(skill: &Skill, version: &VersionEntry) -> (BTreeMap<String, PerField>, PerField) {
    let (mut counts, mut lengths) = (BTreeMap::<String, PerField>::new(), PerField::default());
    let mut name = words(skill.coordinate.slug.as_str());
    if !is_title_of(&version.name, skill.coordinate.slug.as_str()) {
        for word in words(&version.name) {
            if !name.contains(&word) {
                name.push(word);
            }
        }
    }
    lengths.name = name.len() as u64;
    for word in name {
        counts.entry(word).or_default().name = 1;
    }
    let mut each = |text: &str, add: &mut dyn FnMut(&mut PerField)| {
        let mut length = 0;
        each_word(text, &mut |word| {
            if !is_stop_word(word) {
                length += 1;
                match counts.get_mut(word) {
                    Some(count) => add(count),
                    None => add(counts.entry(word.to_owned()).or_default()),
                }
            }
        });
        length
    };
    let mut left = MAX_KEYWORD_WORDS;
    for keyword in &version.keywords {
        lengths.keywords += each(keyword, &mut |count| {
            if count.keywords > 0 || take_one(&mut left) {
                count.keywords = 1;
            }
        });
    }
    left = MAX_DESCRIPTION_WORDS;
    lengths.description = each(&version.description, &mut |count| {
        if count.description > 0 || take_one(&mut left) {
            count.description += 1;
        }
    });
    left = MAX_HEADING_WORDS;
    for heading in version.headings() {
        lengths.headings += each(heading, &mut |count| {
            if count.headings > 0 || take_one(&mut left) {
                count.headings += 1;
            }
        });
    }
    counts.retain(|_, count| count.name + count.keywords + count.description + count.headings > 0);
    (counts, lengths)
}

/// Takes one of those that are left. Returns false if none were.
fn take_one(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
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
    // In thousandths of a word that occurs once in a description of usual length.
    let field = |count: u64, weight: u64, length: u64, usual: u64, share: u64| {
        count * weight * usual * 100 / (usual * (100 - share) + length * share).max(1)
    };
    let weight = field(count.name, NAME, lengths.name, 3, 60)
        + field(count.keywords, KEYWORD, lengths.keywords, 8, 30)
        + field(count.description, 1000, lengths.description, 20, 85)
        + field(count.headings, HEADING, lengths.headings, 40, 50);
    (63 * weight / (weight + HALF)).clamp(1, 63) as u8
}

const NAME: u64 = 6000;
const KEYWORD: u64 = 2500;
const HEADING: u64 = 400;
/// The weight with half of the largest impact.
const HALF: u64 = 3000;
