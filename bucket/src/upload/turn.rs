//! Whether this process may write a bucket.
//!
//! Several servers get turns from a [`TurnSource`]. Without one, a bucket has one writer, and the last process that
//! has begun to write it is that writer: it creates the object `.skillmirror/writers/<number>` with the next number,
//! which the store lets only one process do, and looks for a higher one before each batch. A writer that finds one
//! stops, and says so. `docs/decisions/0071` argues both.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use generator::address::Document;
use generator::tree::Tree;
use object_store::{ObjectMeta, ObjectStoreExt, PutMode};
use registry::api::public::Head;

use super::requests::AwaitWithin;
use super::shown::shown;
use crate::error::UploadError;
use crate::store::Target;
use crate::store_error::is_taken;
use crate::turn_source::TurnSource;

/// How often a server without a turn asks for one.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How often a tree that is behind the bucket is looked at, and for how long.
pub const BEHIND_INTERVAL: Duration = Duration::from_secs(1);
const MAX_BEHIND: Duration = Duration::from_secs(60);

/// When a request without an answer is done or dropped by the store, also one of another process.
pub const SUSPICION: Duration = Duration::from_secs(150);

/// The folder of the writers' objects, and the time limit of requests for them.
const WRITERS: &str = ".skillmirror/writers";
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// The turn of this process.
#[derive(Debug)]
pub struct Turn {
    source: Option<Arc<dyn TurnSource>>,
    /// The number of the turn, or that of this process's object. None before.
    own: Option<u64>,
    /// When requests of the writer before are done or dropped.
    compare_at: Option<Instant>,
    /// Since when the bucket has been ahead of the tree.
    behind_since: Option<Instant>,
}

impl Turn {
    /// Nothing is asked yet.
    pub fn of(target: &Target) -> Self {
        Self { source: target.turns.clone(), own: None, compare_at: None, behind_since: None }
    }

    /// Whether other servers get turns, too.
    pub fn is_shared(&self) -> bool {
        self.source.is_some()
    }

    /// Whether it is the turn of this process, as far as it knows.
    pub fn is_own(&self) -> bool {
        self.own.is_some() && self.source.as_ref().is_none_or(|source| source.number() == self.own)
    }

    /// Refuses unless it is the turn of this process.
    pub fn check(&self) -> Result<(), UploadError> {
        if self.is_own() { Ok(()) } else { Err(UploadError::TurnLost) }
    }

    /// Takes the turn unless another server has it.
    pub async fn take(&mut self, target: &Target) -> Result<bool, UploadError> {
        self.own = match &self.source {
            Some(source) => source.number(),
            None => Some(take_number(target).await?),
        };
        self.compare_at = self.own.map(|_| Instant::now() + SUSPICION);
        Ok(self.own.is_some())
    }

    /// Asks the bucket whether another process has begun to write it, if nothing else gives turns.
    ///
    /// Errors: [`UploadError::Refused`] if another process has.
    pub async fn confirm(&self, target: &Target) -> Result<(), UploadError> {
        if self.source.is_some() || numbers(target).await?.last().map(|(number, _)| *number) <= self.own {
            return Ok(());
        }
        Err(UploadError::Refused(format!(
            "another process has begun to write {}, so this one has stopped: end one of them, and restart the other",
            target.name()
        )))
    }

    /// Lets another server take its turn at once.
    pub fn end(&mut self) {
        self.own = None;
        if let Some(source) = &self.source {
            source.end();
        }
    }

    /// Whether everything has to be compared again: the store may have done late what the writer before
    /// asked for. The next call says no.
    pub fn is_comparison_due(&mut self) -> bool {
        self.compare_at.take_if(|at| *at <= Instant::now()).is_some()
    }

    /// Whether the writer before has put a later revision, of the same history. Readers must not see the
    /// past again, so the tree has to come to that revision first. If it does not for a while, the history
    /// was restored to an older state.
    pub async fn is_behind(&mut self, target: &Target, tree: &Tree) -> Result<bool, UploadError> {
        if !self.is_shared() {
            return Ok(false);
        }
        let there: Option<Head> = shown(target, &Document::Head).await?;
        let is_behind = tree
            .head()
            .zip(there)
            .is_some_and(|(own, there)| own.epoch == there.epoch && own.revision < there.revision);
        let since = self.behind_since.unwrap_or_else(Instant::now);
        self.behind_since = is_behind.then_some(since);
        Ok(is_behind && since.elapsed() < MAX_BEHIND)
    }
}

/// The writers' objects with their numbers, the highest last.
async fn numbers(target: &Target) -> Result<Vec<(u64, ObjectMeta)>, UploadError> {
    let folder = target.path(WRITERS)?;
    let listed = target.store.list(Some(&folder)).try_collect::<Vec<_>>().await_within(ANSWER_TIMEOUT);
    let number = |object: ObjectMeta| Some((object.location.filename()?.parse().ok()?, object));
    let mut numbers: Vec<(u64, _)> = listed.await??.into_iter().filter_map(number).collect();
    numbers.sort_unstable_by_key(|(number, _)| *number);
    Ok(numbers)
}

/// Creates the next number, and deletes the earlier ones. A process that sleeps between its listing and its creation
/// may create a number that others have had and deleted: then it finds a higher one before its first batch.
async fn take_number(target: &Target) -> Result<u64, UploadError> {
    loop {
        let before = numbers(target).await?;
        let number = before.last().map_or(0, |(number, _)| *number).saturating_add(1);
        let place = target.path(&format!("{WRITERS}/{number:020}"))?;
        let created = target.store.put_opts(&place, "writer\n".into(), PutMode::Create.into());
        match created.await_within(ANSWER_TIMEOUT).await? {
            Ok(_) => {}
            Err(why) if is_taken(&why) => continue,
            Err(why) => return Err(why.into()),
        }
        for (_, object) in before {
            // One that stays does no harm: the next writer deletes it.
            let _ = target.store.delete(&object.location).await_within(ANSWER_TIMEOUT).await;
        }
        return Ok(number);
    }
}
