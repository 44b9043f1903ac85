//! Tells a CDN which addresses have changed.
//!
//! Nothing waits for it, and nothing breaks without it: documents that change have a lifetime of a
//! minute. So a purge that fails is tried again for that time and then dropped.

mod list;
mod requests;
mod send;

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::address::{Document, Lifetime};
use generator::tree::{TreeObserver, Written};
use parking_lot::{Condvar, Mutex};
use registry::names::PublicUrl;
use registry::with_causes;
use serde::Deserialize;

use self::list::PurgeList;
use self::send::Sender;
use crate::target::Agents;

/// Documents that are purged one by one. Of more, everything is purged.
const MAX_DOCUMENTS: usize = 5000;

/// How long a purge is tried again: after that, the CDN has forgotten by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first pause after a failure. Each further one is twice as long.
const MIN_PAUSE: Duration = Duration::from_secs(1);

/// Whom to tell.
#[derive(Clone)]
pub enum PurgeService {
    /// Cloudflare.
    Cloudflare {
        /// The id of the zone.
        zone: String,
        /// A token that may purge it.
        token: String,
    },
    /// Fastly.
    Fastly {
        /// The id of the service.
        service: String,
        /// A token that may purge it.
        token: String,
    },
    /// CloudFront. Credentials come from the environment.
    CloudFront {
        /// The id of the distribution.
        distribution: String,
    },
    /// A command with its arguments. It reads what to purge from its standard input.
    Command(Vec<String>),
}

impl fmt::Debug for PurgeService {
    /// Without the token.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cloudflare { .. } => "Cloudflare",
            Self::Fastly { .. } => "Fastly",
            Self::CloudFront { .. } => "CloudFront",
            Self::Command(_) => "a command",
        })
    }
}

/// What names the changed documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PurgeBy {
    /// Their URLs.
    #[default]
    Addresses,
    /// The tags of their objects.
    Tags,
}

/// How a CDN is told.
#[derive(Debug, Clone)]
pub struct PurgeSettings {
    /// Whom to tell.
    pub service: PurgeService,
    /// The address of its API. None for its usual one.
    pub endpoint: Option<String>,
    /// What names documents.
    pub by: PurgeBy,
    /// Where readers find the registry.
    pub public_url: PublicUrl,
    /// The time in which changes are put together.
    pub interval: Duration,
}

/// Tells a CDN what changes, in the background. The last clone ends the thread.
#[derive(Debug, Clone)]
pub struct Purger {
    handle: Arc<Handle>,
}

/// Ends the thread when it is dropped.
#[derive(Debug)]
struct Handle {
    pending: Arc<Pending>,
}

#[derive(Debug, Default)]
struct Pending {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    documents: BTreeSet<Document>,
    is_everything: bool,
    has_ended: bool,
}

impl Purger {
    /// Starts the thread. Requests go through `agent`.
    pub fn start(settings: PurgeSettings, agents: Agents) -> std::io::Result<Self> {
        let pending = Arc::new(Pending::default());
        let its = Arc::clone(&pending);
        let sender = Sender::new(settings.service.clone(), settings.endpoint.clone(), agents)?;
        let thread = std::thread::Builder::new().name("purger".into());
        thread.spawn(move || its.run(&settings, &sender))?;
        Ok(Self { handle: Arc::new(Handle { pending }) })
    }

    /// Adds a document that has changed.
    pub fn add(&self, document: &Document) {
        self.handle.pending.change(|state| {
            if !state.is_everything {
                state.documents.insert(document.clone());
            }
            state.is_everything |= state.documents.len() > MAX_DOCUMENTS;
        });
    }
}

impl TreeObserver for Purger {
    fn replaced(&self, document: &Document, _: Written<'_>) {
        // The others never change at their address.
        if document.lifetime() != Lifetime::Immutable {
            self.add(document);
        }
    }

    fn stored(&self, _: &Document) {}

    fn removed(&self, document: &Document) {
        self.add(document);
    }

    fn invalidated(&self) {
        self.handle.pending.change(|state| state.is_everything = true);
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.pending.change(|state| state.has_ended = true);
    }
}

impl Pending {
    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock());
        self.changed.notify_one();
    }

    fn run(&self, settings: &PurgeSettings, sender: &Sender) {
        let mut failure = None;
        while let Some(list) = self.next(settings) {
            let (since, mut pause) = (Instant::now(), MIN_PAUSE);
            while let Err(why) = sender.send(&list) {
                let why = with_causes(&*why);
                if failure.as_ref() != Some(&why) {
                    tracing::warn!(
                        failure = why,
                        "cannot purge the CDN: it shows older documents for up to a minute"
                    );
                }
                failure = Some(why);
                if since.elapsed() + pause > PATIENCE || self.sleep(pause) {
                    break;
                }
                pause *= 2;
            }
        }
    }

    /// Waits for changes, and for those that follow at once. None at the end.
    fn next(&self, settings: &PurgeSettings) -> Option<PurgeList> {
        let mut state = self.state.lock();
        while state.documents.is_empty() && !state.is_everything && !state.has_ended {
            self.changed.wait(&mut state);
        }
        drop(state);
        if self.sleep(settings.interval) {
            return None;
        }
        let mut state = self.state.lock();
        let documents = std::mem::take(&mut state.documents);
        let is_everything = std::mem::take(&mut state.is_everything);
        drop(state);
        Some(PurgeList::of(&documents, is_everything, settings))
    }

    /// Waits for the time, or for the end. Returns whether that has come.
    fn sleep(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        let mut state = self.state.lock();
        while !state.has_ended {
            if self.changed.wait_until(&mut state, until).timed_out() {
                break;
            }
        }
        state.has_ended
    }
}
