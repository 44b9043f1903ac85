//! Queries made from what a user remembers of a skill.

use super::Skill;
use super::class::Class;
use super::typo::mistyped;
use super::words::{is_telling, is_typed, words};
use crate::world::Prose;

/// The words that a skill is remembered by, each once.
pub(super) struct Remembered {
    whole_name: String,
    name: Vec<String>,
    /// Of the description.
    words: Vec<String>,
    /// Neighbours in the name or the description, both telling.
    neighbours: Vec<[String; 2]>,
    description: String,
}

impl Remembered {
    pub(super) fn of(skill: &Skill) -> Self {
        let distinct = |text: &str| {
            let mut found: Vec<String> = Vec::new();
            for word in words(text).filter(|word| is_telling(word)) {
                if !found.contains(&word) {
                    found.push(word);
                }
            }
            found
        };
        Self {
            whole_name: words(&skill.name).collect::<Vec<_>>().join(" "),
            name: distinct(&format!("{} {}", skill.slug, skill.name)),
            words: distinct(&skill.description),
            neighbours: neighbours(&skill.name).chain(neighbours(&skill.description)).collect(),
            description: skill.description.clone(),
        }
    }

    /// A query of that class. `None` if the skill has no words for it.
    pub(super) fn query(&self, class: Class, chance: &mut Prose) -> Option<String> {
        let joined = |words: Vec<&str>| words.join(" ");
        match class {
            Class::NameWord => some(&self.name, 1, chance).map(joined),
            Class::WholeName => Some(self.whole_name.clone()).filter(|name| !name.is_empty()),
            Class::TwoNameWords => some(&self.name, 2, chance).map(joined),
            Class::Word => some(&self.words, 1, chance).map(joined),
            Class::TwoWords => some(&self.words, 2, chance).map(joined),
            Class::ThreeWords => some(&self.words, 3, chance).map(joined),
            Class::NameAndWord => {
                let others: Vec<_> =
                    self.words.iter().filter(|word| !self.name.contains(word)).cloned().collect();
                Some(format!("{} {}", one(&self.name, chance)?, one(&others, chance)?))
            }
            Class::Prefix => self.prefix(chance).map(|(_, prefix)| prefix),
            Class::WordAndPrefix => {
                let (of, prefix) = self.prefix(chance)?;
                let others: Vec<_> =
                    self.name.iter().chain(&self.words).filter(|word| *word != of).cloned().collect();
                Some(format!("{} {prefix}", one(&others, chance)?))
            }
            Class::NameTypo => {
                let typed: Vec<_> = self.name.iter().filter(|word| is_typed(word)).cloned().collect();
                Some(mistyped(one(&typed, chance)?, chance))
            }
            Class::WordTypo => {
                let mut two = some(&self.words, 2, chance)?;
                let at = chance.below(2);
                let wrong = mistyped(two.get(at).filter(|word| is_typed(word))?, chance);
                two[at] = &wrong;
                Some(two.join(" "))
            }
            Class::Folded => {
                let two = some(&self.words, 2, chance)?;
                let other: Vec<_> = two.iter().map(|word| with_other_ending(word)).collect();
                Some(other.into_iter().collect::<Option<Vec<_>>>()?.join(" "))
            }
            Class::Missing => {
                let mut words: Vec<_> =
                    some(&self.words, 3, chance)?.into_iter().map(str::to_owned).collect();
                words.insert(chance.below(4), chance.word().to_owned());
                Some(words.join(" "))
            }
            Class::Compound => {
                let [first, second] = self.neighbours.get(chance.below(self.neighbours.len()))?;
                let is_short = first.len() + second.len() <= 12 && first.is_ascii() && second.is_ascii();
                let name = one(&self.name, chance).filter(|_| is_short)?;
                Some(format!("{name} {first}{second}"))
            }
            Class::Synonym => {
                let all: Vec<_> = self.name.iter().chain(&self.words).cloned().collect();
                let synonyms: Vec<_> = all.iter().filter_map(|word| Some((word, synonym(word)?))).collect();
                let (of, synonym) = synonyms.get(chance.below(synonyms.len()))?;
                let others: Vec<_> = self.words.iter().filter(|word| word != of).cloned().collect();
                Some(format!("{synonym} {}", one(&others, chance)?))
            }
            Class::Sentence => {
                let words = some(&self.words, 5, chance)?;
                let frame = FRAMES[chance.below(FRAMES.len())];
                let mut words = words.into_iter();
                let parts: Vec<_> =
                    frame.split('_').map(|part| part.to_owned() + words.next().unwrap_or_default()).collect();
                Some(parts.concat())
            }
            Class::Dense => {
                let dense: Vec<char> =
                    self.description.chars().filter(|c| matches!(c, '\u{3041}'..='\u{d7a3}')).collect();
                let length = 8 + chance.below(13);
                let from = chance.below(dense.len().checked_sub(length)? + 1);
                Some(dense[from..from + length].iter().collect())
            }
        }
    }

    /// A word of the name and its first letters.
    fn prefix(&self, chance: &mut Prose) -> Option<(&str, String)> {
        let long: Vec<_> = self.name.iter().filter(|word| word.chars().count() >= 5).collect();
        let word = long.get(chance.below(long.len()))?;
        let letters = 3 + chance.below(word.chars().count().min(7) - 4);
        Some((word, word.chars().take(letters).collect()))
    }
}

fn one<'w>(words: &'w [String], chance: &mut Prose) -> Option<&'w str> {
    words.get(chance.below(words.len())).map(String::as_str)
}

/// `count` of the words by chance, in their order.
fn some<'w>(words: &'w [String], count: usize, chance: &mut Prose) -> Option<Vec<&'w str>> {
    if words.len() < count {
        return None;
    }
    let mut chosen = Vec::new();
    while chosen.len() < count {
        let at = chance.below(words.len());
        if !chosen.contains(&at) {
            chosen.push(at);
        }
    }
    chosen.sort_unstable();
    Some(chosen.into_iter().filter_map(|at| words.get(at).map(String::as_str)).collect())
}

/// What people write around the words that matter.
const FRAMES: [&str; 4] = [
    "I need to _ the _ with _ and _ for my _",
    "how can I _ my _ using _ so that _ is _?",
    "please find something that does _ _ and _ _ from _",
    "is there a way to get _ _ about _, _ or _",
];

fn neighbours(text: &str) -> impl Iterator<Item = [String; 2]> {
    let all: Vec<String> = words(text).collect();
    let pairs: Vec<_> = all.windows(2).map(|pair| [pair[0].clone(), pair[1].clone()]).collect();
    pairs.into_iter().filter(|pair| pair.iter().all(|word| is_telling(word)))
}

/// A word with another English ending than it has. `None` if it has none of these.
fn with_other_ending(word: &str) -> Option<String> {
    if !is_typed(word) {
        return None;
    }
    if let Some(start) = word.strip_suffix("ing") {
        return Some(format!("{start}ed"));
    }
    if let Some(start) = word.strip_suffix("es").or_else(|| word.strip_suffix("ed")) {
        return Some(format!("{start}ing"));
    }
    match word.strip_suffix('s') {
        Some(start) if !start.ends_with('s') => Some(start.to_owned()),
        _ => Some(format!("{word}s")),
    }
}

/// Synonyms that people use for words of this field. They were not taken from those that the index
/// knows, though it knows most of them.
const SYNONYMS: [(&str, &str); 24] = [
    ("image", "picture"),
    ("images", "photos"),
    ("powerpoint", "slides"),
    ("presentation", "pptx"),
    ("excel", "spreadsheet"),
    ("xlsx", "excel"),
    ("kubernetes", "k8s"),
    ("postgres", "postgresql"),
    ("javascript", "js"),
    ("typescript", "ts"),
    ("python", "py"),
    ("repository", "repo"),
    ("database", "db"),
    ("terminal", "shell"),
    ("email", "mail"),
    ("documentation", "docs"),
    ("video", "movie"),
    ("audio", "sound"),
    ("website", "web page"),
    ("bug", "defect"),
    ("authentication", "login"),
    ("twitter", "tweet"),
    ("configuration", "settings"),
    ("summarize", "tldr"),
];

fn synonym(word: &str) -> Option<&'static str> {
    SYNONYMS.iter().find(|(known, _)| *known == word).map(|(_, synonym)| *synonym)
}
