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
