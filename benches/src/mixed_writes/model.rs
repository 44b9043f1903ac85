//! The expected state of the registry: all acknowledged writes, applied in the order of their
//! revisions.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use super::action::{Action, Attempt};
use crate::Failure;

/// The number of complaints that are listed.
const MAX_LISTED: usize = 20;

/// A version's content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Content {
    variant: usize,
    pub(super) sha256: String,
}

/// A skill.
#[derive(Debug, Clone, Default)]
pub(super) struct Skill {
    author: usize,
    pub(super) versions: BTreeMap<String, Content>,
    pub(super) tags: BTreeMap<String, String>,
    pub(super) stars: BTreeSet<usize>,
    pub(super) ratings: BTreeMap<usize, u64>,
}

/// The skills of the team.
#[derive(Debug, Clone, Default)]
pub struct Model {
    pub(super) skills: BTreeMap<String, Skill>,
}

/// A failure of all the complaints there are, each in a line.
pub(super) fn none(complaints: &[String]) -> Result<(), Failure> {
    match complaints.len() {
        0 => Ok(()),
        number => {
            let told: Vec<&str> = complaints.iter().take(MAX_LISTED).map(String::as_str).collect();
            Err(format!("{number} complaints:\n  {}", told.join("\n  ")).into())
        }
    }
}

impl Model {
    /// The state after all attempts. The attempts of each person are in their order.
    ///
    /// Errors: an acknowledged write whose answer is not that of its place in the
    /// order, a revision that two have or that is lower than an earlier one of
    /// the same connection, and an answer that nothing explains.
    pub fn of(all: &[Attempt]) -> Result<Self, Failure> {
        let mut complaints = Vec::new();
        let mut last = BTreeMap::new();
        let mut order: BTreeMap<u64, &Attempt> = BTreeMap::new();
        for attempt in all {
            let Some(revision) = attempt.revision else { continue };
            if last.insert(attempt.who, revision).is_some_and(|before| before >= revision) {
                complaints.push(format!("a later write has an earlier revision: {attempt:?}"));
            }
            if let Some(other) = order.insert(revision, attempt) {
                complaints.push(format!("two have one revision: {attempt:?} and {other:?}"));
            }
        }
        let mut model = Self::default();
        for attempt in order.values() {
            if model.apply(attempt).is_none() {
                complaints.push(format!("not the answer of its place in the order: {attempt:?}"));
            }
        }
        let unexplained = all.iter().filter(|attempt| attempt.revision.is_none() && !model.explains(attempt));
        complaints.extend(unexplained.map(|attempt| format!("nothing explains this answer: {attempt:?}")));
        none(&complaints)?;
        Ok(model)
    }

    /// Applies an acknowledged write. `None` if the response contradicts the state.
    fn apply(&mut self, attempt: &Attempt) -> Option<()> {
        let Attempt { who, status, reply, .. } = attempt;
        if let Action::Publish { version, variant } = &attempt.action {
            let author = Skill { author: *who, ..Skill::default() };
            let skill = self.skills.entry(attempt.slug.clone()).or_insert(author);
            let content = Content { variant: *variant, sha256: attempt.text("sha256").to_owned() };
            let is_new = skill.versions.insert(version.clone(), content).is_none();
            let named = attempt.text("version") == version && attempt.text("sha256").len() == 64;
            return (is_new && named && *status == 201).then_some(());
        }
        let skill = self.skills.get_mut(&attempt.slug)?;
        let is_as_said = match &attempt.action {
            Action::Publish { .. } => false,
            Action::Star => skill.stars.insert(*who) && *reply == skill.starred(true) && *status == 200,
            Action::Unstar => skill.stars.remove(who) && *reply == skill.starred(false) && *status == 200,
            Action::Rate(score) => {
                let is_other = skill.ratings.insert(*who, *score) != Some(*score);
                is_other && *who != skill.author && skill.is_rated(reply, *score) && *status == 200
            }
            Action::SetTag { tag, version } => {
                let before = skill.tags.insert((*tag).to_owned(), version.clone());
                let expected = if before.is_none() { 201 } else { 200 };
                let is_other = before.as_ref() != Some(version) && skill.versions.contains_key(version);
                is_other && attempt.text("version") == version && *status == expected
            }
            Action::RemoveTag(tag) => skill.tags.remove(*tag).is_some() && *status == 204,
        };
        is_as_said.then_some(())
    }

    /// Whether a response without a revision is valid: nothing had to change, or another person was
    /// first.
    fn explains(&self, attempt: &Attempt) -> bool {
        let Some(skill) = self.skills.get(&attempt.slug) else { return false };
        let is_author = skill.author == attempt.who;
        match (&attempt.action, attempt.status) {
            (Action::Publish { version, variant }, 200 | 409) => {
                let Some(content) = skill.versions.get(version) else { return false };
                let is_same = content.variant == *variant;
                let is_told = content.sha256 == attempt.text("sha256");
                if attempt.status == 200 { is_same && is_told } else { !is_same }
            }
            (Action::Star, 200) => attempt.reply.get("starred") == Some(&json!(true)),
            (Action::Unstar, 200) => attempt.reply.get("starred") == Some(&json!(false)),
            (Action::Rate(score), 200) => !is_author && attempt.reply.get("score") == Some(&json!(score)),
            (Action::Rate(_), 403) => is_author,
            (Action::SetTag { version, .. }, 200) => attempt.text("version") == version,
            (Action::RemoveTag(_), 404) => true,
            _ => false,
        }
    }
}

impl Skill {
    /// The answer to a star.
    pub(super) fn starred(&self, starred: bool) -> Value {
        json!({"starred": starred, "starCount": self.stars.len()})
    }

    /// Whether `reply` is the answer to a rating.
    pub(super) fn is_rated(&self, reply: &Value, score: u64) -> bool {
        reply.get("score") == Some(&json!(score)) && self.shows_ratings(reply)
    }

    /// Whether `record` has the number and the mean of the ratings.
    pub(super) fn shows_ratings(&self, record: &Value) -> bool {
        let number = record.get("ratingCount").and_then(Value::as_u64);
        let mean = record.get("ratingAverage").and_then(Value::as_f64);
        let sum: u64 = self.ratings.values().sum();
        let expected = (!self.ratings.is_empty()).then(|| sum as f64 / self.ratings.len() as f64);
        // Two decimals are shown.
        let is_near = match (mean, expected) {
            (Some(mean), Some(expected)) => (mean - expected).abs() < 0.0051,
            (mean, expected) => mean == expected,
        };
        number == Some(self.ratings.len() as u64) && is_near
    }
}
