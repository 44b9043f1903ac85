//! The version of a skill that a requirement means.

use super::{Skill, VersionEntry};
use crate::names::Requirement;

impl Skill {
    /// The version that a requirement resolves to: the highest offered one in a range.
    pub fn required(&self, requirement: &Requirement) -> Option<&VersionEntry> {
        match requirement {
            Requirement::Latest => self.latest(),
            Requirement::Tag(tag) => self.tagged(tag),
            Requirement::Exact(version) => self.offered(version),
            Requirement::Range(range) => {
                let offered = self.versions.iter().filter(|entry| !entry.is_yanked());
                offered
                    .filter(|entry| entry.version.satisfies(range))
                    .max_by(|a, b| a.version.cmp(&b.version))
            }
        }
    }
}
