//! What a skill is found by: the writer's half of ranking.

use std::collections::BTreeMap;

use registry::public::{Skill, VersionEntry};

use super::piece::key_of;
use super::words::{each_word, is_bigram, is_stop_word, words};

/// How many code points the prefixes have that a word is found by.
const PREFIXES: std::ops::RangeInclusive<usize> = 2..=7;

/// How many different words of its keywords, of its description and of its
/// headings a skill is found by: each costs a file of the index.
const KEYWORD_WORDS: usize = 64;
const DESCRIPTION_WORDS: usize = 160;
const HEADING_WORDS: usize = 64;

/// How often a word stands where.
#[derive(Default, Clone, Copy)]
struct Count {
    name: u64,
    keywords: u64,
    description: u64,
    headings: u64,
}

/// How long the texts are that a word is counted in, in words.
#[derive(Default, Clone, Copy)]
struct Lengths {
    name: u64,
    keywords: u64,
    description: u64,
    headings: u64,
}

/// The keys that lead to a skill, each with its impact; None where the skill has
/// no version to speak of.
pub fn keys(skill: &Skill) -> Option<BTreeMap<Vec<u8>, u8>> {
    let face = skill.latest()?;
    let mut counts = BTreeMap::<String, Count>::new();
    let lengths = count(skill, face, &mut counts);
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

fn count(skill: &Skill, face: &VersionEntry, counts: &mut BTreeMap<String, Count>) -> Lengths {
    let mut lengths = Lengths::default();
    let mut name = words(skill.coordinate.slug.as_str());
    if !is_title_of(&face.name, skill.coordinate.slug.as_str()) {
        for word in words(&face.name) {
            if !name.contains(&word) {
                name.push(word);
            }
        }
    }
    lengths.name = name.len() as u64;
    for word in name {
        counts.entry(word).or_default().name = 1;
    }
    let mut each = |text: &str, add: &mut dyn FnMut(&mut Count)| {
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
    let mut left = KEYWORD_WORDS;
    for keyword in &face.keywords {
        lengths.keywords += each(keyword, &mut |count| {
            if count.keywords > 0 || take(&mut left) {
                count.keywords = 1;
            }
        });
    }
    left = DESCRIPTION_WORDS;
    lengths.description = each(&face.description, &mut |count| {
        if count.description > 0 || take(&mut left) {
            count.description += 1;
        }
    });
    left = HEADING_WORDS;
    for heading in face.headings() {
        lengths.headings += each(heading, &mut |count| {
            if count.headings > 0 || take(&mut left) {
                count.headings += 1;
            }
        });
    }
    counts.retain(|_, count| count.name + count.keywords + count.description + count.headings > 0);
    lengths
}

/// Whether one more is left.
fn take(left: &mut usize) -> bool {
    let is_left = *left > 0;
    *left = left.saturating_sub(1);
    is_left
}

/// Whether a name is what is made from a slug where there is none.
pub fn is_title_of(name: &str, slug: &str) -> bool {
    let mut parts = slug.split('-').filter(|part| !part.is_empty());
    let mut words = name.split(' ');
    loop {
        match (parts.next(), words.next()) {
            (None, None) => return true,
            (Some(part), Some(word)) => {
                let mut letters = part.chars();
                let first = letters.next().map(|first| first.to_ascii_uppercase());
                if !word.chars().eq(first.into_iter().chain(letters)) {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// How much a word weighs in a skill, 1 to 63.
///
/// As in BM25F, what the fields give is added up before it saturates, and a word
/// among few weighs more than one among many. The numbers were tuned on one half
/// of the queries of `benches/search`; lengths are compared with what is usual,
/// not with the mean, which every change would move.
fn impact(count: &Count, lengths: &Lengths) -> u8 {
    // In thousandths of a word that stands once in a description of usual length.
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
/// The weight that has half of the impact.
const HALF: u64 = 3000;
