//! How many skills have each keyword.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};

use super::Skill;

/// The keywords of the latest versions of skills, in lower case.
#[derive(Debug, Default)]
pub(super) struct Keywords(HashMap<Box<str>, usize>);

/// The keywords of a skill, each once. A skill without a latest version has none.
fn of(skill: &Skill) -> BTreeSet<Box<str>> {
    let keywords = skill.latest().into_iter().flat_map(|version| &version.keywords);
    keywords.map(|keyword| keyword.to_lowercase().into()).collect()
}

impl Keywords {
    pub(super) fn add(&mut self, skill: &Skill) {
        for keyword in of(skill) {
            *self.0.entry(keyword).or_default() += 1;
        }
    }

    /// Removes a skill, which must be unchanged since it was added.
    pub(super) fn remove(&mut self, skill: &Skill) {
        for keyword in of(skill) {
            if let Some(count) = self.0.get_mut(&keyword) {
                *count -= 1;
                if *count == 0 {
                    self.0.remove(&keyword);
                }
            }
        }
    }

    /// The keywords of most skills, and how many each has. Ties are broken by the alphabet.
    pub(super) fn most_used(&self, max: usize) -> Vec<(&str, usize)> {
        let mut all: Vec<_> = self.0.iter().map(|(keyword, count)| (&**keyword, *count)).collect();
        let order = |a: &(&str, usize), b: &(&str, usize)| (Reverse(a.1), a.0).cmp(&(Reverse(b.1), b.0));
        if all.len() > max {
            all.select_nth_unstable_by(max, order);
            all.truncate(max);
        }
        all.sort_unstable_by(order);
        all
    }
}
