//! Checks the sources of a running server when they are due. Of several servers with the same local data, one does.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use registry::Registry;
use registry::local::{LocalError, LocalStore, SourceState};
use registry::publishing::PublishMode;
use registry::time::Timestamp;
use registry::with_causes;
use server::metrics::Reading;

use super::Follower;
use crate::config::Config;
use crate::config::source::SourceSection;

/// The time between two looks at what is due.
const TICK: Duration = Duration::from_secs(2);

/// The most checks at once. A slow source does not hold up the others.
const MAX_CHECKS: usize = 4;

/// How often the state of a source is read at least, in case another process has changed it.
const MAX_UNREAD: Duration = Duration::from_secs(60);

/// How long a server that stops waits for checks.
const MAX_STOP: Duration = Duration::from_secs(2);

/// How long after the most time of a check another server may begin one, if this one has not ended it.
const GRACE: Duration = Duration::from_secs(60);

/// The sources of a running server. A reload changes them.
pub type Sources = Arc<Mutex<BTreeMap<String, SourceSection>>>;

/// Checks sources until it is dropped.
pub struct Timer {
    /// The sources.
    pub sources: Sources,
    local: Arc<LocalStore>,
    is_stopped: Arc<AtomicBool>,
    /// The thread, which ends when the sender is gone.
    thread: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Timer {
    /// Starts a thread.
    pub fn start(config: &Config, registry: &Arc<Registry>, local: &Arc<LocalStore>) -> Self {
        let sources = Arc::new(Mutex::new(config.sources.clone()));
        let mut timer = Self { sources, local: Arc::clone(local), is_stopped: Arc::default(), thread: None };
        let checks = Checks {
            config: config.clone(),
            registry: Arc::clone(registry),
            local: Arc::clone(local),
            sources: Arc::clone(&timer.sources),
            is_stopped: Arc::clone(&timer.is_stopped),
            running: Mutex::default(),
            next: Mutex::default(),
        };
        let (sender, ended) = mpsc::channel();
        timer.thread = Some((sender, std::thread::spawn(move || Arc::new(checks).run(&ended))));
        timer
    }

    /// What metrics say about the sources.
    #[allow(clippy::cast_precision_loss, reason = "metrics are floating-point numbers")]
    pub fn readings(&self) -> impl Fn() -> Vec<Reading> + Send + Sync + use<> {
        let (sources, local) = (Arc::clone(&self.sources), Arc::clone(&self.local));
        move || {
            let names: Vec<String> = sources.lock().keys().cloned().collect();
            let states = names.into_iter().filter_map(|name| Some((local.source_state(&name).ok()?, name)));
            let states: Vec<_> = states.collect();
            let reading = |name: &'static str, help: &'static str, value: fn(&SourceState) -> f64| {
                states
                    .iter()
                    .map(move |(state, source)| Reading::new(name, help, value(state)).of("source", source))
            };
            let failing = reading("source_failing", "Whether the last check of the source failed", |state| {
                f64::from(u8::from(state.error.is_some()))
            });
            let checked =
                reading("source_checked_seconds", "Unix time of the last check of the source", |state| {
                    state.checked_at.map_or(0.0, |at| at.as_unix() as f64)
                });
            let refused =
                reading("source_refused", "Skills of the source that the registry refuses", |state| {
                    state.skills.values().filter(|seen| seen.outcome.is_refusal()).count() as f64
                });
            failing.chain(checked).chain(refused).collect()
        }
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.is_stopped.store(true, Ordering::Relaxed);
        // So that nothing has the stores open when they are closed.
        if let Some((sender, thread)) = self.thread.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}

struct Checks {
    config: Config,
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    sources: Sources,
    is_stopped: Arc<AtomicBool>,
    running: Mutex<BTreeSet<String>>,
    /// When the states of sources are to be read again. They are long.
    next: Mutex<BTreeMap<String, Timestamp>>,
}

/// A check that runs. It has ended when this is dropped, also by a panic.
struct Running<'a> {
    checks: &'a Checks,
    name: &'a str,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.checks.running.lock().remove(self.name);
    }
}

impl Checks {
    fn run(self: Arc<Self>, ended: &Receiver<()>) {
        loop {
            let sources = self.sources.lock().clone();
            for (name, source) in sources {
                match self.begins(&name, &source) {
                    Ok(true) => {
                        let checks = Arc::clone(&self);
                        std::thread::spawn(move || checks.check(&name, &source));
                    }
                    Ok(false) => {}
                    Err(why) => tracing::warn!(
                        source = name,
                        why = with_causes(&why),
                        "cannot find out when it is due"
                    ),
                }
            }
            if ended.recv_timeout(TICK) != Err(RecvTimeoutError::Timeout) {
                return self.stop();
            }
        }
    }

    /// Waits for checks, and gives up those that do not end, so that the next process begins them again.
    fn stop(&self) {
        let until = Instant::now() + MAX_STOP;
        while !self.running.lock().is_empty() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        for name in self.running.lock().iter() {
            let state = self.local.source_state(name);
            let state = state.map(|state| SourceState { next_check: Some(Timestamp::now()), ..state });
            if let Err(why) = state.and_then(|state| self.local.set_source_state(name, &state)) {
                tracing::warn!(source = name, why = with_causes(&why), "cannot give up its check");
            }
        }
    }

    /// Whether this process begins a check of a source now.
    fn begins(&self, name: &str, source: &SourceSection) -> Result<bool, LocalError> {
        let now = Timestamp::now();
        let mut running = self.running.lock();
        if running.contains(name)
            || running.len() >= MAX_CHECKS
            || self.next.lock().get(name).is_some_and(|next| *next > now)
        {
            return Ok(false);
        }
        if let Some(next) = self.local.source_state(name)?.next_check.filter(|next| *next > now) {
            self.next.lock().insert(name.to_owned(), next.min(now.plus(MAX_UNREAD)));
            return Ok(false);
        }
        let is_ours = self.local.claim_source(name, now, now.plus(source.max_time + GRACE))?;
        if is_ours {
            running.insert(name.to_owned());
        }
        Ok(is_ours)
    }

    fn check(&self, name: &str, source: &SourceSection) {
        let _running = Running { checks: self, name };
        let Self { config, registry, local, is_stopped, .. } = self;
        let follower = Follower { config, registry, local, is_stopped: Arc::clone(is_stopped) };
        if let Err(why) = follower.check(name, source, PublishMode::Commit) {
            tracing::warn!(
                source = name,
                why = with_causes(&why),
                "the check of a source could not be recorded"
            );
        }
    }
}
