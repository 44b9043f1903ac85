//! How many skills have each keyword.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::Skill;

/// The keywords of the latest versions of skills, in lower case.
#[derive(Debug, Default)]
pub(super) struct Keywords {
    counts: HashMap<Arc<str>, usize>,
    /// Those of most skills first. Ties are broken by the alphabet.
    most_used: BTreeSet<(Reverse<usize>, Arc<str>)>,
}

/// The keywords of a skill, each once. A skill without a latest version has none.
fn of(skill: &Skill) -> BTreeSet<Arc<str>> {
    let keywords = skill.latest().into_iter().flat_map(|version| &version.keywords);
    keywords.map(|keyword| keyword.to_lowercase().into()).collect()
}

impl Keywords {
    /// Those of many skills, which are sorted once.
    pub(super) fn all(skills: &[&Skill]) -> Self {
        let mut counts = HashMap::<Arc<str>, usize>::new();
        for keyword in skills.iter().flat_map(|skill| of(skill)) {
            *counts.entry(keyword).or_default() += 1;
        }
        let most_used = counts.iter().map(|(keyword, count)| (Reverse(*count), Arc::clone(keyword)));
        Self { most_used: most_used.collect(), counts }
    }

    pub(super) fn add(&mut self, skill: &Skill) {
        of(skill).into_iter().for_each(|keyword| self.change(keyword, |count| count + 1));
    }

    /// Removes a skill, which must be unchanged since it was added.
    pub(super) fn remove(&mut self, skill: &Skill) {
        of(skill).into_iter().for_each(|keyword| self.change(keyword, |count| count.saturating_sub(1)));
    }

    fn change(&mut self, keyword: Arc<str>, change: impl FnOnce(usize) -> usize) {
        let before = self.counts.remove(&keyword).unwrap_or_default();
        self.most_used.remove(&(Reverse(before), Arc::clone(&keyword)));
        let count = change(before);
        if count > 0 {
            self.most_used.insert((Reverse(count), Arc::clone(&keyword)));
            self.counts.insert(keyword, count);
        }
    }

    /// The keywords of most skills, and how many each has.
    pub(super) fn most_used(&self, max: usize) -> Vec<(&str, usize)> {
        self.most_used.iter().take(max).map(|(Reverse(count), keyword)| (&**keyword, *count)).collect()
    }
}
