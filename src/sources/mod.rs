//! Follows places that have skills, and submits to the registry what is new there.
//!
//! A source is not trusted: it may lie about anything, and lead anywhere. [`fetcher`] and [`git_command`] bound what it
//! can cost. What it sends is read as every upload is. What the registry has of it already, the history says.

mod fetcher;
mod git;
mod git_command;
mod history;
mod indexes;
mod offer;
mod registries;
mod submission;
pub mod timer;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use registry::Registry;
use registry::local::{LocalStore, SeenSkill, SourceOutcome, SourceState};
use registry::publishing::PublishMode;
use registry::time::Timestamp;
use serde::Serialize;

use crate::config::Config;
use crate::config::source::{SourceAddress, SourceKind, SourceSection};
use fetcher::{Deadline, Fetcher};
use git::Repository;
pub use history::check_goal;
use offer::{Offer, is_wanted};
use submission::Submitter;

/// The longest time until the next check of a source that fails.
const MAX_BACKOFF: Duration = Duration::from_secs(24 * 60 * 60);

/// The most characters of a sentence about a source or a skill.
const MAX_SENTENCE: usize = 1000;

/// A registry, and the settings by which it takes packages.
pub struct Follower<'a> {
    pub config: &'a Config,
    pub registry: &'a Arc<Registry>,
    pub local: &'a LocalStore,
    /// Ends a check early.
    pub is_stopped: Arc<AtomicBool>,
}

/// The result of a check.
#[derive(Debug, Serialize)]
pub struct Checked {
    /// The source.
    pub name: String,
    /// Why nothing could be read.
    pub error: Option<String>,
    /// Its skills.
    pub skills: BTreeMap<String, SeenSkill>,
}

/// What reads the content of offers.
enum Reader {
    Http(Box<Fetcher>),
    Git(Box<Repository>),
}

impl Follower<'_> {
    /// Checks a source, and submits what is new. A dry run writes nothing.
    ///
    /// Errors: only of the stores. What the source does wrong is in the result.
    pub fn check(
        &self,
        name: &str,
        source: &SourceSection,
        mode: PublishMode,
    ) -> Result<Checked, registry::local::LocalError> {
        let before = self.local.source_state(name)?;
        let read = self.read(source, &before, mode);
        let now = Timestamp::now();
        if self.is_stopped.load(Ordering::Relaxed) && mode == PublishMode::Commit {
            // The next process begins again.
            let state = SourceState { next_check: Some(now), ..before };
            self.local.set_source_state(name, &state)?;
            return Ok(Checked { name: name.to_owned(), error: read.err(), skills: state.skills });
        }
        let (error, failures, skills) = match read {
            Ok(skills) => (None, 0, skills),
            Err(why) => (Some(cut(why)), before.failures.saturating_add(1), before.skills.clone()),
        };
        if mode == PublishMode::Commit {
            let waits = source.every.saturating_mul(1 << failures.min(10));
            let next_check = Some(now.plus(waits.min(MAX_BACKOFF.max(source.every))));
            let (error, skills) = (error.clone(), skills.clone());
            let after = SourceState { checked_at: Some(now), next_check, failures, error, skills };
            log(name, &before, &after);
            self.local.set_source_state(name, &after)?;
        }
        Ok(Checked { name: name.to_owned(), error, skills })
    }

    /// Reads all skills of a source. The error is why this ended early.
    fn read(
        &self,
        source: &SourceSection,
        before: &SourceState,
        mode: PublishMode,
    ) -> Result<BTreeMap<String, SeenSkill>, String> {
        let submitter = Submitter::new(self, source, mode)?;
        let deadline = Deadline::after(source.max_time, Arc::clone(&self.is_stopped));
        let (reader, offers) = self.offers(source, deadline.clone())?;
        if offers.len() > source.max_skills {
            return Err(too_many(source.max_skills));
        }
        let mut skills = BTreeMap::new();
        for offer in offers {
            deadline.left()?;
            let known = before.skills.get(&offer.id);
            let mut seen = match skills.contains_key(&offer.id) {
                true => continue,
                false => submitter.take(&reader, &offer, known, &skills),
            };
            let earlier = known.and_then(|known| known.slug.as_ref()).filter(|_| seen.slug.is_some());
            if let Some(earlier) = earlier.filter(|earlier| Some(*earlier) != seen.slug.as_ref()) {
                seen.message = Some(format!("the source called it `{earlier}` before"));
            }
            skills.insert(offer.id, seen);
        }
        let is_left =
            |known: &SeenSkill| known.slug.is_some() && !skills.values().any(|seen| seen.slug == known.slug);
        let gone = before.skills.iter().filter(|(id, known)| !skills.contains_key(*id) && is_left(known));
        // A source could have other skills each time.
        let gone: Vec<_> =
            gone.take(source.max_skills).map(|(id, known)| (id.clone(), removed(known))).collect();
        skills.extend(gone);
        Ok(skills)
    }

    fn offers(&self, source: &SourceSection, deadline: Deadline) -> Result<(Reader, Vec<Offer>), String> {
        let url = match &source.address {
            SourceAddress::Web(url) if source.kind != SourceKind::Git => url,
            _ => {
                let repository = Repository::fetch(source, deadline)?;
                let mut offers = repository.skills(source.folder.as_deref())?;
                offers.retain(|offer| is_wanted(&offer.name, &source.skills));
                return Ok((Reader::Git(Box::new(repository)), offers));
            }
        };
        let fetcher = Fetcher::new(source, deadline)?;
        let offers = match source.kind {
            SourceKind::Registry => registries::registry(&fetcher, url, source),
            SourceKind::Clawhub => registries::clawhub(&fetcher, url, source),
            SourceKind::Marketplace => indexes::marketplace(&fetcher, url, source),
            SourceKind::Index | SourceKind::Git => {
                indexes::index(&fetcher, url, source, self.config.package_limits().files)
            }
        };
        Ok((Reader::Http(Box::new(fetcher)), offers?))
    }
}

/// The beginning of a sentence, in which a source may be quoted.
fn cut(sentence: String) -> String {
    sentence.chars().take(MAX_SENTENCE).collect()
}

/// The error for a source with more than `max` skills.
fn too_many(max: usize) -> String {
    format!("it has too many skills, and at most {max} are taken: raise max_skills, or name some in `skills`")
}

/// A skill that its source no longer has. It stays in the registry.
fn removed(known: &SeenSkill) -> SeenSkill {
    let message = Some("the source no longer has it; it stays in the registry".to_owned());
    SeenSkill { digest: None, outcome: SourceOutcome::Removed, message, ..known.clone() }
}

/// Logs what is other than at the last check.
fn log(source: &str, before: &SourceState, after: &SourceState) {
    match &after.error {
        Some(why) => tracing::warn!(source, %why, "the check of a source has failed"),
        None => tracing::debug!(source, skills = after.skills.len(), "checked a source"),
    }
    for (id, seen) in &after.skills {
        let is_known = before
            .skills
            .get(id)
            .is_some_and(|known| known.outcome == seen.outcome && known.message == seen.message);
        let (skill, outcome) = (id.escape_debug().to_string(), seen.outcome.as_str());
        let why = seen.message.as_deref().unwrap_or_default();
        match seen.outcome {
            _ if is_known => {}
            SourceOutcome::Unchanged | SourceOutcome::Waiting => {}
            SourceOutcome::Submitted | SourceOutcome::Published => {
                tracing::info!(source, skill, outcome, "took a skill")
            }
            _ => tracing::warn!(source, skill, outcome, why, "did not take a skill"),
        }
    }
}
