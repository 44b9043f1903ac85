//! A lease, so that one of several servers writes a bucket.
//!
//! Each writer has an object `.skillmirror/writers/<number>`, and the one with the highest number may
//! write. A server takes the lease by creating the next number, which the store lets only one do. The
//! writer puts its object again every two seconds. The others list the objects as often, and one of them
//! takes the next number when nothing has changed for [`QUIET`](newest::QUIET), or when the writer has
//! said that it ends.
//!
//! # Why two servers never have the right at the same time
//!
//! Durations are compared, never the clocks of two machines. A renewal counts from before it is sent, and
//! only if its answer comes while the right of the last one lasts. Let a waiter see the same object in a
//! listing that was answered at `a` and in one that was asked for at `b`. Then no renewal was done between
//! the two. Those before were sent before `a`, so the right ends before `a + LASTS`, which is before `b`.
//! A renewal that is done after `b` comes too late to count. A server whose right has ended takes a
//! number like every other one.
//!
//! A request that the old writer sent before may still be done later. So the new one compares the bucket
//! again after some minutes (`Engine`).

mod newest;
mod right;
#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use futures_util::TryStreamExt;
use object_store::path::Path;
use object_store::{Error as StoreError, ObjectMeta, ObjectStoreExt, PutMode};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use self::newest::{Newest, Watch, number_of};
pub use self::right::Right;
use self::right::{Moment, extend};
use super::error::UploadError;
use super::put::AwaitWithin;
use crate::claim::is_taken;
use crate::manifest::Manifest;
use crate::objects::unique;
use crate::target::Target;

/// How often a waiting server looks whether it may take the lease.
pub const LOOK_INTERVAL: Duration = Duration::from_secs(2);

/// The folder of the writers' objects.
const WRITERS: &str = ".skillmirror/writers";

/// The fact in the manifest that has the text of the last number of this tree's process.
const FACT: &str = "writer";

/// How often the writer renews its right, and the pause after a failure.
const RENEW_INTERVAL: Duration = Duration::from_secs(2);
const RETRY_INTERVAL: Duration = Duration::from_millis(250);

/// The time for an answer: to a renewal, and in seconds to the other requests.
const RENEW_TIMEOUT: Duration = Duration::from_secs(2);
const ANSWER_TIMEOUT: u64 = 4;

/// The lease of a bucket, whether this process has it or not.
#[derive(Debug)]
pub struct Lease {
    target: Target,
    watch: Watch,
    held: Option<Held>,
}

/// A number of this process.
#[derive(Debug)]
struct Held {
    place: Path,
    right: Right,
    since: watch::Sender<Option<Moment>>,
    renewal: JoinHandle<()>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.renewal.abort();
        self.since.send_replace(None);
    }
}

impl Lease {
    /// The lease of this bucket. Nothing is sent yet.
    pub fn of(target: Target) -> Self {
        Self { target, watch: Watch::default(), held: None }
    }

    /// Whether this process has the lease.
    pub fn is_held(&self) -> bool {
        self.held.as_ref().is_some_and(|held| held.right.is_valid())
    }

    /// Takes the lease if nobody has it, and returns the right to write. Call it again after
    /// [`LOOK_INTERVAL`].
    ///
    /// A process that was killed had the lock of the same tree. Its number is in `manifest`, and the next
    /// process with that lock need not wait.
    pub async fn take(&mut self, manifest: &Manifest) -> Result<Option<Right>, UploadError> {
        self.held = None;
        let asked = Instant::now();
        let newest = Newest::of(&self.list().await?);
        let known = self.watch.highest();
        let is_quiet = self.watch.is_quiet(newest.as_ref(), asked, Instant::now());
        let is_free = match newest.as_ref().filter(|_| !is_quiet) {
            None => is_quiet,
            Some(newest) => {
                newest.has_ended() || (newest.number > known && self.is_own(newest, manifest).await?)
            }
        };
        if !is_free {
            return Ok(None);
        }
        let number = self.watch.highest().saturating_add(1);
        let (token, begun) = (unique(), Moment::now());
        manifest.set_fact(FACT, &token)?;
        let place = self.target.path(&format!("{WRITERS}/{number:020}"))?;
        let text = content(&token, 0).into();
        let created = self.target.store.put_opts(&place, text, PutMode::Create.into());
        match created.await_within(ANSWER_TIMEOUT).await? {
            Ok(_) => {}
            Err(why) if is_taken(&why) => return Ok(None),
            Err(why) => return Err(why.into()),
        }
        // A waiter that has slept may create a number that others have taken and deleted meanwhile.
        let listed = self.list().await?;
        if Newest::of(&listed).is_none_or(|newest| newest.number != number) {
            return Ok(None);
        }
        self.delete_before(number, &listed);
        Ok(Some(self.hold(place, token, begun)))
    }

    /// Says that this process writes no more, so that another one need not wait.
    pub async fn end(&mut self) {
        let Some(held) = self.held.take() else { return };
        let place = held.place.clone();
        drop(held);
        // If it fails, the others wait some seconds.
        let _ = self.target.store.put(&place, "".into()).await_within(ANSWER_TIMEOUT).await;
    }

    fn hold(&mut self, place: Path, token: String, begun: Moment) -> Right {
        let (since, right) = Right::since(begun);
        let (target, its, at) = (self.target.clone(), since.clone(), place.clone());
        let renewal = tokio::spawn(async move { renew(&target, &at, &token, &its).await });
        self.held = Some(Held { place, right: right.clone(), since, renewal });
        right
    }

    async fn list(&self) -> Result<Vec<ObjectMeta>, UploadError> {
        let folder = self.target.path(WRITERS)?;
        let listed = self.target.store.list(Some(&folder)).try_collect::<Vec<_>>();
        Ok(listed.await_within(ANSWER_TIMEOUT).await??)
    }

    /// Whether the last process with the lock of this tree has made an object.
    async fn is_own(&self, newest: &Newest, manifest: &Manifest) -> Result<bool, UploadError> {
        let Some(token) = manifest.fact(FACT)? else { return Ok(false) };
        let read = async { self.target.store.get(&newest.object.location).await?.bytes().await };
        match read.await_within(ANSWER_TIMEOUT).await? {
            Ok(text) => Ok(text.starts_with(format!("{token} ").as_bytes())),
            Err(StoreError::NotFound { .. }) => Ok(false),
            Err(why) => Err(why.into()),
        }
    }

    /// Deletes the objects of earlier writers. One that stays does no harm: the next writer deletes it.
    fn delete_before(&self, number: u64, listed: &[ObjectMeta]) {
        let target = self.target.clone();
        let old = listed.iter().map(|object| object.location.clone());
        let old: Vec<_> = old.filter(|place| number_of(place).is_some_and(|its| its < number)).collect();
        tokio::spawn(async move {
            for place in old {
                let _ = target.store.delete(&place).await;
            }
        });
    }
}

/// Renews a right until it has ended.
async fn renew(target: &Target, place: &Path, token: &str, since: &watch::Sender<Option<Moment>>) {
    let mut pause = RENEW_INTERVAL;
    for count in 1_u64.. {
        tokio::time::sleep(pause).await;
        let begun = Moment::now();
        let put = target.store.put(place, content(token, count).into());
        match tokio::time::timeout(RENEW_TIMEOUT, put).await {
            Ok(Ok(_)) if extend(since, begun) => pause = RENEW_INTERVAL,
            Ok(Ok(_)) => return,
            Ok(Err(_)) | Err(_) if Right::has_ended(since) => return,
            Ok(Err(_)) | Err(_) => pause = RETRY_INTERVAL,
        }
    }
}

/// The text of an object. Each has another one, so that its entity tag changes.
fn content(token: &str, count: u64) -> String {
    format!("{token} {count}\n")
}
