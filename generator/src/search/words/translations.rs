//! Words of other languages for what skills do, and Chinese characters that are written in two ways.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::language::json;
use super::words;

/// The lists, which `search.js` reads too: of words in Latin letters, and in others.
const FILES: [&str; 2] = [
    include_str!("../../../../site-template/assets/search/translations.js"),
    include_str!("../../../../site-template/assets/search/characters.js"),
];

/// What may stand between the two words of a German compound.
const LINKS: [&str; 4] = ["", "s", "n", "en"];

#[derive(Deserialize, Default)]
#[serde(default)]
struct Lists {
    translations: Vec<String>,
    traditional: Vec<String>,
    simplified: Vec<String>,
}

/// The words of an entry that follow its first, and the English word.
type Entry = (Vec<String>, String);

// The characters have a list of their own, because the words are folded with them.
static LISTS: LazyLock<[Lists; 2]> = LazyLock::new(|| FILES.map(json));

static SIMPLIFIED: LazyLock<HashMap<char, char>> = LazyLock::new(|| {
    let characters = |lines: &'static [String]| lines.iter().flat_map(|line| line.chars());
    characters(&LISTS[1].traditional).zip(characters(&LISTS[1].simplified)).collect()
});

/// The entries by their first words.
static ENTRIES: LazyLock<HashMap<String, Vec<Entry>>> = LazyLock::new(|| {
    let mut entries = HashMap::<String, Vec<Entry>>::new();
    for (english, others) in LISTS.iter().flat_map(translated) {
        for other in others.split(", ") {
            let mut rest = words(other).into_iter();
            if let Some(first) = rest.next() {
                entries.entry(first).or_default().push((rest.collect(), english.to_owned()));
            }
        }
    }
    entries
});

/// The English words, each with its translations.
fn translated(lists: &Lists) -> impl Iterator<Item = (&str, &str)> {
    lists.translations.iter().flat_map(|line| line.split("; ")).filter_map(|entry| entry.split_once(": "))
}

/// The simplified form of a Chinese character, or the character.
pub(super) fn simplified(c: char) -> char {
    if matches!(c, '\u{4e00}'..='\u{9fff}') { *SIMPLIFIED.get(&c).unwrap_or(&c) } else { c }
}

/// The longest entries that words begin with: the number of their words, and their English words.
pub fn translations<'w>(words: impl Iterator<Item = &'w str> + Clone) -> (usize, Vec<&'static str>) {
    let mut rest = words;
    let Some(first) = rest.next() else { return (0, Vec::new()) };
    let fitting = ENTRIES.get(first).into_iter().flatten().filter(|(more, _)| {
        let mut next = rest.clone();
        more.iter().all(|word| next.next() == Some(word))
    });
    let longest = fitting.clone().map(|(more, _)| more.len()).max().unwrap_or_default();
    let mut found: Vec<_> =
        fitting.filter(|(more, _)| more.len() == longest).map(|(_, english)| english.as_str()).collect();
    if found.is_empty() && first.is_ascii() {
        found = of_compound(first);
    }
    (longest + 1, found)
}

/// The English words of the two words that a German compound is made of.
fn of_compound(word: &str) -> Vec<&'static str> {
    let entries = |part: &str| {
        let single = |entry: &&Entry| entry.0.is_empty();
        ENTRIES.get(part).into_iter().flatten().filter(single).map(|(_, english)| english.as_str())
    };
    for at in 4..word.len().saturating_sub(3) {
        let (head, tail) = word.split_at(at);
        let head =
            LINKS.iter().filter_map(|link| head.strip_suffix(link)).find(|head| entries(head).count() > 0);
        if let Some(head) = head
            && entries(tail).count() > 0
        {
            return entries(head).chain(entries(tail)).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> (usize, Vec<&'static str>) {
        let words = words(text);
        translations(words.iter().map(String::as_str))
    }

    #[test]
    fn longest_entry_is_translated() {
        assert_eq!(of("Kalender öffnen"), (1, vec!["calendar"]));
        assert_eq!(of("mots de passe"), (3, vec!["password"]));
        assert_eq!(of("密碼管理"), (1, vec!["password"]));
        assert_eq!(of("文字起こし"), (4, vec!["transcribe"]));
        assert_eq!(of("Passwortverwaltung"), (1, vec!["password", "manage"]));
        assert_eq!(of("password"), (1, Vec::new()));
        assert_eq!(of(""), (0, Vec::new()));
    }

    #[test]
    fn lists_are_well_formed() {
        let [latin, other] = &*LISTS;
        assert!(
            translated(latin).count() > 200 && translated(other).count() > 200 && SIMPLIFIED.len() > 1000
        );
        let length = |lines: &[String]| lines.iter().map(|line| line.chars().count()).sum::<usize>();
        assert_eq!(length(&other.traditional), length(&other.simplified));
        assert!(SIMPLIFIED.values().all(|c| !SIMPLIFIED.contains_key(c)));
        for (english, others) in LISTS.iter().flat_map(translated) {
            let is_translation = |other: &str| !words(other).is_empty() && words(other) != words(english);
            assert!(others.split(", ").all(is_translation), "{english}");
        }
        // Queries in ASCII are not compared with the second file.
        for (english, others) in translated(other) {
            assert!(others.split(", ").all(|other| !words(other)[0].is_ascii()), "{english}");
        }
    }
}
