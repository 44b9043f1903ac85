//! Whose turn it is to write a bucket.

use std::time::{Duration, Instant};

use generator::address::Document;
use generator::tree::Tree;
use object_store::{Error as StoreError, ObjectStoreExt};
use registry::api::public::Head;
use serde::de::DeserializeOwned;

use super::engine::SUSPICION;
use super::error::UploadError;
use super::lease::{Lease, Right};
use super::put::AwaitWithin;
use crate::manifest::Manifest;
use crate::target::Target;

/// How often a tree that is behind the bucket is looked at, and for how long.
pub const BEHIND_INTERVAL: Duration = Duration::from_secs(1);
const MAX_BEHIND: Duration = Duration::from_secs(60);

/// Seconds in which a small document has to arrive.
const DOCUMENT_TIMEOUT: u64 = 10;

/// Whether this process may write a bucket.
#[derive(Debug)]
pub struct Turn {
    /// None if no other server writes the bucket.
    lease: Option<Lease>,
    right: Right,
    /// When requests of the writer before are done or dropped.
    compare_at: Option<Instant>,
    /// Since when the bucket has been ahead of the tree.
    behind_since: Option<Instant>,
}

impl Turn {
    /// Nobody's turn, or always this process's turn.
    pub fn of(target: &Target) -> Self {
        let lease = target.is_shared.then(|| Lease::of(target.clone()));
        Self { lease, right: Right::always(), compare_at: None, behind_since: None }
    }

    /// Whether this process may write.
    pub fn is_own(&self) -> bool {
        self.lease.as_ref().is_none_or(Lease::is_held)
    }

    /// What requests that write are checked by.
    pub fn right(&self) -> &Right {
        &self.right
    }

    /// Takes the turn unless another server has it.
    pub async fn take(&mut self, manifest: &Manifest) -> Result<bool, UploadError> {
        let Some(lease) = &mut self.lease else { return Ok(true) };
        self.right = Right::none();
        let Some(right) = lease.take(manifest).await? else { return Ok(false) };
        self.right = right;
        self.compare_at = Some(Instant::now() + SUSPICION);
        Ok(true)
    }

    /// Lets another server take its turn at once.
    pub async fn end(&mut self) {
        if let Some(lease) = &mut self.lease {
            lease.end().await;
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
        if self.lease.is_none() {
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

/// A JSON document in a bucket. None if it is missing, or cannot be read.
pub(super) async fn shown<T: DeserializeOwned>(
    target: &Target,
    document: &Document,
) -> Result<Option<T>, UploadError> {
    let Some(key) = document.file() else { return Ok(None) };
    let place = target.path(&key)?;
    let read = async { target.store.get(&place).await?.bytes().await };
    match read.await_within(DOCUMENT_TIMEOUT).await? {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
        Err(StoreError::NotFound { .. }) => Ok(None),
        Err(why) => Err(why.into()),
    }
}
