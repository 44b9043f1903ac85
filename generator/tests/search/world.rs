//! A shelf with random changes that are the same in every run.

use std::collections::BTreeSet;

use registry::public::NamespaceStatus;

use crate::dice::Dice;
use crate::shelf::{Shelf, Text};

pub struct World {
    dice: Dice,
    words: Vec<String>,
    namespaces: Vec<String>,
    pub texts: Vec<Text>,
    pub shelf: Shelf,
}

impl World {
    pub fn new(words: usize, texts: usize) -> Self {
        Self::in_namespaces(words, texts, &["global", "global", "acme", "beta"])
    }

    /// A world with these namespaces, each as often as it is in the list.
    pub fn in_namespaces<N: AsRef<str>>(words: usize, texts: usize, namespaces: &[N]) -> Self {
        let mut dice = Dice::new(7);
        let words = (0..words).map(|_| dice.word()).collect();
        let namespaces: Vec<String> = namespaces.iter().map(|name| name.as_ref().to_owned()).collect();
        let mut shelf = Shelf::new();
        for team in BTreeSet::from_iter(&namespaces).into_iter().filter(|name| *name != "global") {
            shelf.namespace(team, NamespaceStatus::Active);
        }
        let mut world = Self { dice, words, namespaces, texts: Vec::new(), shelf };
        (0..texts).for_each(|_| world.publish_new());
        world
    }

    /// Number of texts with the most common word, and of texts with the most common two letters
    /// at the start of a word in slug or keywords.
    pub fn max_counts(&self) -> [usize; 2] {
        let has_word = |text: &Text, word: &str| text.description.split(' ').any(|one| one == word);
        let has_prefix = |text: &Text, word: &str| {
            let parts = text.slug.split('-').chain(text.keywords.iter().map(String::as_str));
            parts.into_iter().any(|part| part.starts_with(&word[..2]))
        };
        let max = |has: &dyn Fn(&Text, &str) -> bool| {
            let count = |word: &String| self.texts.iter().filter(|text| has(text, word)).count();
            self.words.iter().take(20).map(count).max().unwrap()
        };
        [max(&has_word), max(&has_prefix)]
    }

    pub fn publish_new(&mut self) {
        let number = self.texts.len();
        let slug = format!("{}-{}-{number}", self.dice.common(&self.words), self.dice.common(&self.words));
        let namespace = self.dice.pick(&self.namespaces);
        let text = Text {
            keywords: vec![self.dice.common(&self.words).to_owned()],
            headings: vec![self.dice.sentence(&self.words, 3)],
            body_words: vec![self.dice.common(&self.words).to_owned(), self.dice.pick(&self.words).clone()],
            ..Text::new(&slug, &self.dice.sentence(&self.words, 12)).of(namespace)
        };
        self.shelf.publish(&text, "1.0.0");
        self.texts.push(text);
    }

    pub fn change(&mut self, step: usize) {
        let at = self.dice.below(self.texts.len());
        match self.dice.below(7) {
            0 => self.publish_new(),
            // The name of a removed skill is taken.
            1 | 2 if self.shelf.has(&self.texts[at]) => {
                self.texts[at].description = self.dice.sentence(&self.words, 12);
                self.texts[at].body_words = vec![self.dice.common(&self.words).to_owned()];
                self.shelf.publish(&self.texts[at].clone(), &format!("1.1.{step}"));
            }
            // Another name, and the same words in the description.
            6 if self.shelf.has(&self.texts[at]) => {
                let word = self.dice.common(&self.words);
                // Names of one word can be equal to a query.
                self.texts[at].name =
                    if step.is_multiple_of(2) { word.to_owned() } else { format!("{word} {step}") };
                self.shelf.publish(&self.texts[at].clone(), &format!("1.1.{step}"));
            }
            3 => self.shelf.remove(&self.texts[at].clone()),
            4 => self.shelf.restore(&self.texts[at].clone()),
            _ => self.shelf.yank(&self.texts[at].clone(), "1.0.0"),
        }
    }
}
