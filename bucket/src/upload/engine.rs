//! Brings the bucket up to the folder, one round after the other.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::address::Document;
use generator::tree::{TargetProgress, Tree};
use parking_lot::Mutex;
use registry::api::public::Head;

use super::batch::read_batch;
use super::changes::Changes;
use super::comparison::compare;
use super::put::{BucketWriter, PutOutcome};
use super::step::Step;
use super::turn::{LOOK_INTERVAL, SUSPICION, Turn};
use crate::error::UploadError;
use crate::manifest::Manifest;
use crate::owner::Claim;
use crate::store::Target;

/// Steps with which a batch begins.
const STEPS_AT_ONCE: usize = 2048;

/// How often an idle uploader looks for work.
const IDLE_INTERVAL: Duration = Duration::from_secs(30);

/// The state of a bucket's writer.
#[derive(Debug)]
pub struct Engine {
    target: Target,
    tree: Tree,
    manifest: Manifest,
    claim: Claim,
    /// When the bucket was taken: see [`Claim::take`].
    claimed_at: Option<i64>,
    changes: Arc<Changes>,
    progress: Arc<Mutex<TargetProgress>>,
    /// Keys in the bucket that no document has.
    strays: Vec<String>,
    /// When documents were put in the last interval.
    recent: HashMap<Document, Instant>,
    /// Documents whose put had no answer, and since when.
    suspects: HashMap<Document, Instant>,
    /// Whether this process may write.
    turn: Turn,
}

/// The result of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Round {
    /// Something was done. There may be more.
    Worked,
    /// The bucket is up to date with the folder.
    UpToDate,
    /// The tree is rebuilt: the bucket waits for the end.
    Waiting,
    /// Another server writes the bucket. Ask again after [`LOOK_INTERVAL`](super::turn::LOOK_INTERVAL).
    Standby,
    /// The server that wrote the bucket before had a newer tree. Ask again after [`BEHIND_INTERVAL`](super::turn::BEHIND_INTERVAL).
    Behind,
}

impl Engine {
    /// A writer that has compared nothing yet.
    pub fn new(
        target: Target,
        tree: Tree,
        claim: Claim,
        changes: Arc<Changes>,
        progress: Arc<Mutex<TargetProgress>>,
    ) -> Result<Self, UploadError> {
        let manifest = Manifest::open(&tree.state_folder(), &target.identity())?;
        changes.distrust();
        let turn = Turn::of(&target);
        progress.lock().is_writer = !turn.is_shared();
        Ok(Self {
            target,
            tree,
            manifest,
            claim,
            claimed_at: None,
            changes,
            progress,
            strays: Vec::new(),
            recent: HashMap::new(),
            suspects: HashMap::new(),
            turn,
        })
    }

    /// The bucket.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Whether this process may write to the bucket.
    pub fn is_writer(&self) -> bool {
        self.turn.is_own()
    }

    /// How long nothing is to be done while the bucket is up to date and nothing changes. The end of a
    /// turn is noticed by then.
    pub fn idle_interval(&self) -> Duration {
        if self.turn.is_shared() { LOOK_INTERVAL } else { IDLE_INTERVAL }
    }

    /// Lets another server write the bucket at once.
    pub fn end(&mut self) {
        self.turn.end();
    }

    /// Takes the turn unless another server has it. Returns whether this process may write.
    async fn take_turn(&mut self) -> Result<bool, UploadError> {
        if self.turn.is_own() {
            return Ok(true);
        }
        let taken = self.turn.take(&self.target).await;
        if !self.turn.is_shared() {
            return taken;
        }
        let is_writer = matches!(taken, Ok(true));
        let name = self.target.name();
        let mut progress = self.progress.lock();
        let was_writer = std::mem::replace(&mut progress.is_writer, is_writer);
        if is_writer {
            tracing::info!(target_name = name, "this server writes the bucket from now on");
        } else {
            if was_writer {
                tracing::warn!(target_name = name, "the turn of this server to write the bucket has ended");
            }
            (progress.revision, progress.waiting) = (None, 0);
            // The comparison at the beginning of the next turn finds them again.
            self.changes.forget();
        }
        self.strays.clear();
        self.changes.distrust();
        taken
    }

    /// Does the next batch, or what comes before it. After an error, the next call tries again.
    pub async fn round(&mut self) -> Result<Round, UploadError> {
        if !self.tree.is_complete() {
            return Ok(Round::Waiting);
        }
        let claimed_at = match self.claimed_at {
            Some(at) => at,
            None => self.claim.take(&self.target, &self.manifest, &self.tree).await?,
        };
        self.claimed_at = Some(claimed_at);
        if !self.take_turn().await? {
            return Ok(Round::Standby);
        }
        if self.turn.is_comparison_due() {
            self.changes.distrust();
        }
        if self.changes.take_unknown() {
            self.turn.confirm(&self.target).await.inspect_err(|_| self.changes.distrust())?;
            let is_behind = self.turn.is_behind(&self.target, &self.tree).await;
            if is_behind.inspect_err(|_| self.changes.distrust())? {
                self.changes.distrust();
                return Ok(Round::Behind);
            }
            let compared = compare(&self.target, &self.manifest, &self.tree, &self.changes, claimed_at).await;
            self.strays = compared.inspect_err(|_| self.changes.distrust())?;
            self.progress.lock().left = 0;
            self.note_waiting(0);
            return Ok(Round::Worked);
        }
        self.doubt_suspects();
        // The revision is read before: what is written after it is among the changes.
        let revision = self.tree.head().map(|head| head.revision);
        if self.changes.is_empty() {
            if !self.strays.is_empty() {
                self.turn.confirm(&self.target).await?;
            }
            self.delete_strays().await?;
            self.progress.lock().revision = revision;
            return Ok(Round::UpToDate);
        }
        self.keep_rate(&self.changes.first(STEPS_AT_ONCE)).await;
        let batch = read_batch(&self.changes, &self.tree, STEPS_AT_ONCE)?;
        let documents: Vec<_> = batch.keys().map(|step| step.document().clone()).collect();
        let outcome = InProgress { changes: &self.changes, steps: batch.keys().cloned().collect() };
        self.keep_rate(&documents).await;
        self.turn.confirm(&self.target).await?;
        let writer = self.writer();
        let outcome = outcome.ended(writer.write(&batch).await);
        self.record(outcome)?;
        Ok(Round::Worked)
    }

    fn writer(&self) -> BucketWriter<'_> {
        let Self { target, manifest, tree, turn, .. } = self;
        BucketWriter { target, manifest, tree, turn }
    }

    /// Waits until each of the documents may be put again.
    async fn keep_rate(&self, documents: &[Document]) {
        let last = documents.iter().filter_map(|document| self.recent.get(document)).max();
        if let Some(last) = last {
            let due = *last + self.target.interval;
            tokio::time::sleep_until(due.into()).await;
        }
    }

    fn record(&mut self, outcome: PutOutcome) -> Result<(), UploadError> {
        let now = Instant::now();
        self.recent.retain(|_, at| at.elapsed() < self.target.interval);
        for step in outcome.done.iter().filter(|step| !step.is_removal()) {
            self.recent.insert(step.document().clone(), now);
        }
        self.suspects.extend(outcome.suspects.into_iter().map(|document| (document, now)));
        self.note_waiting(0);
        self.warn_of_left(&outcome.left);
        let mut progress = self.progress.lock();
        progress.written += outcome.written;
        progress.deleted += outcome.deleted;
        if let Some(head) = outcome.head.and_then(|bytes| serde_json::from_slice::<Head>(&bytes).ok()) {
            progress.revision = Some(head.revision);
        }
        match outcome.failure {
            None => Ok(()),
            Some(why) => Err(why),
        }
    }

    fn note_waiting(&self, more: usize) {
        self.progress.lock().waiting = (self.changes.len() + more) as u64;
    }

    /// A put without an answer may be done by the store after a later one of the same key, and undo
    /// it. So the document is put again later.
    fn doubt_suspects(&mut self) {
        let due: Vec<_> = self.suspects.iter().filter(|(_, at)| at.elapsed() >= SUSPICION).collect();
        let due: Vec<Document> = due.into_iter().map(|(document, _)| document.clone()).collect();
        for document in due {
            self.suspects.remove(&document);
            for key in self.target.keys.of(&document) {
                if let Ok(Some(object)) = self.manifest.object(&key) {
                    let _ = self.manifest.set(&key, &object.forget_bytes());
                }
            }
            self.changes.add(Step::put(document));
        }
    }

    /// Deletes the objects that no document has. Nothing in an up-to-date bucket refers to them. Those that
    /// somebody else has put stay.
    async fn delete_strays(&mut self) -> Result<(), UploadError> {
        let mut left = Vec::new();
        while let Some(key) = self.strays.last() {
            let is_deleted = self.writer().delete_key(key).await?;
            let Some(key) = self.strays.pop() else { break };
            if is_deleted {
                self.progress.lock().deleted += 1;
            } else {
                left.push(key);
            }
        }
        self.warn_of_left(&left);
        Ok(())
    }

    /// Says which objects stay. One of a removed skill may be among them, if somebody has changed it.
    fn warn_of_left(&self, left: &[String]) {
        let Some(example) = left.first() else { return };
        self.progress.lock().left += left.len() as u64;
        let (target_name, left) = (self.target.name(), left.len());
        tracing::warn!(target_name, left, example, "objects that no registry has put stay in the bucket");
    }
}

/// The steps of a batch that is being written. Those that are not done are changes again, also if the
/// writing is cut off.
struct InProgress<'a> {
    changes: &'a Changes,
    steps: std::collections::BTreeSet<Step>,
}

impl InProgress<'_> {
    fn ended(mut self, outcome: PutOutcome) -> PutOutcome {
        for step in &outcome.done {
            self.steps.remove(step);
        }
        outcome
    }
}

impl Drop for InProgress<'_> {
    fn drop(&mut self) {
        self.changes.put_back(std::mem::take(&mut self.steps));
    }
}
