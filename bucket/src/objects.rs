//! Requests to a store by code that is not asynchronous.

use std::hash::{BuildHasher, RandomState};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::time::{Duration, SystemTime};

use object_store::Error as StoreError;
use tokio::runtime::{Handle, Runtime};

use crate::error::UploadError;
use crate::store::Target;
use crate::store_error::is_taken;

/// The time for an answer. It is shorter while the store is known to be away, so that requests do not
/// queue up.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);
const ANSWER_TIMEOUT_AWAY: Duration = Duration::from_secs(3);

/// The slowest rate of an object, in bytes a second.
const MIN_RATE: u64 = 64 * 1024;

/// 32 digits that no other process makes. The standard library's keys are random.
pub fn unique() -> String {
    let half = || RandomState::new().hash_one((SystemTime::now(), std::process::id()));
    format!("{:016x}{:016x}", half(), half())
}

/// A bucket, and a thread for the requests to its store.
#[derive(Debug)]
pub struct Objects {
    target: Target,
    /// None while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    /// Whether the last request failed.
    is_away: AtomicBool,
}

impl Objects {
    /// The bucket of `target`.
    pub fn of(target: Target) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let handle = runtime.handle().clone();
        Ok(Self { target, handle, runtime: Some(runtime), is_away: AtomicBool::new(false) })
    }

    /// The bucket.
    pub fn target(&self) -> &Target {
        &self.target
    }

    /// Waits for a request that moves `bytes`.
    pub fn run<T, F>(&self, bytes: u64, request: impl FnOnce(Target) -> F) -> Result<T, UploadError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let is_away = self.is_away.load(Ordering::Relaxed);
        let answer = if is_away { ANSWER_TIMEOUT_AWAY } else { ANSWER_TIMEOUT };
        self.run_within(answer + Duration::from_secs(bytes / MIN_RATE), request)
    }

    /// Waits for requests, together at most `time`. They run on another thread, so the caller may be
    /// any code that may wait.
    pub fn run_within<T, F>(
        &self,
        time: Duration,
        requests: impl FnOnce(Target) -> F,
    ) -> Result<T, UploadError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let (done, outcome) = mpsc::sync_channel(1);
        let requests = requests(self.target.clone());
        self.handle.spawn(async move {
            // Nobody waits any more if it cannot be sent.
            let _ = done.send(tokio::time::timeout(time, requests).await);
        });
        let outcome = match outcome.recv() {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(why))) => Err(UploadError::Store(why)),
            Ok(Err(_)) => Err(UploadError::Timeout(time.as_secs())),
            Err(_) => Err(io::Error::other("the thread of the store has ended").into()),
        };
        let is_answer = |why: &StoreError| matches!(why, StoreError::NotFound { .. }) || is_taken(why);
        let is_away = match &outcome {
            Ok(_) => false,
            Err(UploadError::Store(why)) => !is_answer(why),
            Err(_) => true,
        };
        self.is_away.store(is_away, Ordering::Relaxed);
        outcome
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        // Waiting for its threads is forbidden in asynchronous code.
        self.runtime.take().into_iter().for_each(Runtime::shutdown_background);
    }
}
