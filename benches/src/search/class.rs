//! Kinds of queries for a known skill.

use super::Skill;
use super::typo::mistyped;
use super::words::{is_telling, is_typed, words};
use crate::world::Prose;

/// What someone remembers of the skill that they look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// One word of the name.
    NameWord,
    /// All words of the shown name, in their order.
    WholeName,
    /// Two words of the name.
    TwoNameWords,
    /// One word of the description.
    Word,
    /// Two words of the description.
    TwoWords,
    /// Three words of the description.
    ThreeWords,
    /// A word of the name, and one of the description that is not in the name.
    NameAndWord,
    /// The first three to five letters of a word of the name that has at least
    /// two more.
    Prefix,
    /// A word of the name or description, and such a prefix of another.
    WordAndPrefix,
    /// One mistake in a word of the name of at least five letters.
    NameTypo,
    /// Two words of the description, a mistake in one of at least five letters.
    WordTypo,
}

impl Class {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::NameWord,
        Self::WholeName,
        Self::TwoNameWords,
        Self::Word,
        Self::TwoWords,
        Self::ThreeWords,
        Self::NameAndWord,
        Self::Prefix,
        Self::WordAndPrefix,
        Self::NameTypo,
        Self::WordTypo,
    ];

    /// What its queries are.
    pub fn title(self) -> &'static str {
        match self {
            Self::NameWord => "a word of the name",
            Self::WholeName => "the whole name",
            Self::TwoNameWords => "two words of the name",
            Self::Word => "a word of the description",
            Self::TwoWords => "two words of the description",
            Self::ThreeWords => "three words of the description",
            Self::NameAndWord => "a word of the name, one of the description",
            Self::Prefix => "the first letters of a word of the name",
            Self::WordAndPrefix => "a word, then the first letters of one of the name",
            Self::NameTypo => "a word of the name, mistyped",
            Self::WordTypo => "two words of the description, one mistyped",
        }
    }
}

/// The words that a skill is remembered by, each once.
pub(super) struct Remembered {
    whole_name: String,
    name: Vec<String>,
    /// Of the description.
    words: Vec<String>,
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
        }
    }

    /// A query of that kind. None where the skill gives none.
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
