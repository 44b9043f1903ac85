//! The last checks of the places that the registry follows, and what was seen there. What is published, waits or was
//! rejected is not asked here: the history says it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{LocalError, LocalStore, Record, Space};
use crate::names::{Digest, Slug};
use crate::public::Id;
use crate::time::Timestamp;

/// The state of each source, by its name.
pub(super) const SOURCES: Space = Space::new("sources.1");

/// The last check of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SourceState {
    /// The time of the last check, whether it succeeded or not.
    pub checked_at: Option<Timestamp>,
    /// The time of the next one.
    pub next_check: Option<Timestamp>,
    /// Checks that have failed since the last one that succeeded.
    pub failures: u32,
    /// Why the last one has failed.
    pub error: Option<String>,
    /// The skills, by the names or folders that the source has for them.
    pub skills: BTreeMap<String, SeenSkill>,
}

/// A skill of a source, as it was seen last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SeenSkill {
    /// Its name in the registry, if it could be read.
    pub slug: Option<Slug>,
    /// The version.
    pub version: Option<String>,
    /// The digest that the source names. If it stays the same, the skill need not be read again.
    pub digest: Option<Digest>,
    /// The digest of its content, if it could be read.
    pub content: Option<Digest>,
    /// What became of it.
    pub outcome: SourceOutcome,
    /// Why, in words.
    pub message: Option<String>,
    /// The review of what this source has submitted last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub review: Option<Id>,
}

/// What became of a skill of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SourceOutcome {
    /// It was submitted for review.
    Submitted,
    /// It was published.
    Published,
    /// The registry has this content.
    Unchanged,
    /// This content waits for review.
    Waiting,
    /// This content was rejected.
    Rejected,
    /// It has another content under a version that the registry has.
    Changed,
    /// The source no longer has it.
    Removed,
    /// It cannot be taken.
    Refused,
}

impl SourceOutcome {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Submitted => "submitted",
            Self::Published => "published",
            Self::Unchanged => "unchanged",
            Self::Waiting => "waiting",
            Self::Rejected => "rejected",
            Self::Changed => "changed",
            Self::Removed => "removed",
            Self::Refused => "refused",
        }
    }

    /// Whether a person should look at it.
    pub fn is_refusal(self) -> bool {
        matches!(self, Self::Changed | Self::Refused)
    }
}

impl LocalStore {
    /// The state of a source. One that was never checked has the default.
    pub fn source_state(&self, name: &str) -> Result<SourceState, LocalError> {
        let state = self.single(|records| records.value(SOURCES, name))?;
        Ok(state.unwrap_or_default())
    }

    /// Keeps the state of a source.
    pub fn set_source_state(&self, name: &str, state: &SourceState) -> Result<(), LocalError> {
        let record = Record::new((SOURCES, name.to_owned()), state)?;
        self.single(|records| records.put(std::slice::from_ref(&record)))
    }

    /// Forgets the state of a source.
    pub fn remove_source_state(&self, name: &str) -> Result<(), LocalError> {
        self.single(|records| records.delete(&[(SOURCES, name.to_owned())]))
    }

    /// Takes the next check of a source if it is due at `now`: no other process begins one before `until`.
    pub fn claim_source(&self, name: &str, now: Timestamp, until: Timestamp) -> Result<bool, LocalError> {
        self.write(Some(SOURCES), |records| {
            let state: Option<SourceState> = records.value(SOURCES, name)?;
            let state = state.unwrap_or_default();
            let is_due = state.next_check.is_none_or(|next| next <= now);
            if is_due {
                let claimed = SourceState { next_check: Some(until), ..state };
                records.put(&[Record::new((SOURCES, name.to_owned()), &claimed)?])?;
            }
            Ok(is_due)
        })
    }
}
