//! Tells a CDN in front of the tree or the bucket which addresses have changed, with a command of the operator.
//!
//! Nothing waits for it, and nothing breaks without it: documents that change have a lifetime of a
//! minute. So a command that fails is tried again for that time, and then its addresses are dropped.

use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use generator::address::{Document, Lifetime};
use generator::tree::{TreeObserver, Written};
use parking_lot::{Condvar, Mutex};
use registry::names::PublicUrl;

use crate::Failure;
use crate::config::Config;
use client::fed_command::{await_success, end, feed};

/// Documents whose addresses one command gets. For more it gets the line `all`.
const MAX_DOCUMENTS: usize = 5000;

/// The time limit of a command.
const COMMAND_TIMEOUT: Duration = Duration::from_secs(60);

/// How long a command that fails is tried again: after that, the CDN has forgotten by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// The first pause after a failure. Each further one is twice as long.
const MIN_PAUSE: Duration = Duration::from_secs(1);

/// Runs the command in a thread. The last clone ends the thread.
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

/// The command, and what it needs.
struct Purge {
    command: Vec<String>,
    public_url: PublicUrl,
    interval: Duration,
}

impl Purger {
    /// Starts the command of the settings. None if they name none.
    ///
    /// Errors: the settings have no public URL.
    pub fn start(config: &Config) -> Result<Option<Self>, Failure> {
        let command = config.purge.command.clone();
        if command.is_empty() {
            return Ok(None);
        }
        let public_url = config.public_url.clone();
        let public_url = public_url
            .ok_or("purge.command: set public_url, because the command gets the URLs of readers")?;
        let purge = Purge { command, public_url, interval: config.purge.interval };
        let pending = Arc::new(Pending::default());
        let its = Arc::clone(&pending);
        let thread = std::thread::Builder::new().name("purger".into());
        thread.spawn(move || its.run(&purge))?;
        Ok(Some(Self { handle: Arc::new(Handle { pending }) }))
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

    fn run(&self, purge: &Purge) {
        let mut failure = None;
        while let Some(lines) = self.next(purge) {
            let (since, mut pause) = (Instant::now(), MIN_PAUSE);
            while let Err(why) = purge.send(&lines) {
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

    /// Waits for changes, and for those that follow at once. Returns the lines for the command, or None at the end.
    fn next(&self, purge: &Purge) -> Option<String> {
        let mut state = self.state.lock();
        while state.documents.is_empty() && !state.is_everything && !state.has_ended {
            self.changed.wait(&mut state);
        }
        drop(state);
        if self.sleep(purge.interval) {
            return None;
        }
        let mut state = self.state.lock();
        let documents = std::mem::take(&mut state.documents);
        let is_everything = std::mem::take(&mut state.is_everything);
        drop(state);
        Some(if is_everything { "all\n".to_owned() } else { lines(&purge.public_url, &documents) })
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

impl Purge {
    /// Runs the command with these lines as its input.
    fn send(&self, lines: &str) -> Result<(), String> {
        let Some((program, arguments)) = self.command.split_first() else { return Ok(()) };
        let failed = |why: String| format!("purge.command (`{program}`) {why}");
        let begun = Instant::now();
        let child = Command::new(program).args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).spawn();
        let mut child = child.map_err(|why| failed(format!("cannot be started ({why})")))?;
        feed(&mut child, lines.to_owned());
        let done = await_success(&mut child, begun, COMMAND_TIMEOUT);
        if done.is_err() {
            end(&mut child);
        }
        done.map_err(failed)
    }
}

/// The URLs of documents, one in each line.
fn lines(public_url: &PublicUrl, documents: &BTreeSet<Document>) -> String {
    let paths: BTreeSet<String> = documents.iter().flat_map(paths).collect();
    paths.iter().map(|path| format!("{public_url}{path}\n")).collect()
}

/// The paths of a document: that of its file, that of requests, and that of the folder of a page.
fn paths(document: &Document) -> BTreeSet<String> {
    let file = document.file().map(|file| format!("/{file}"));
    let folder = file.as_ref().and_then(|file| file.strip_suffix("index.html")).map(ToOwned::to_owned);
    [file, folder, Some(document.request())].into_iter().flatten().collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use generator::address::of_file;

    use super::*;

    #[test]
    fn documents_are_purged_by_all_their_urls() {
        let files = ["api/v1/skills/team/hello.json", "team/hello/index.html"];
        let documents = files.iter().map(|file| of_file(file).unwrap().0).collect();
        assert_eq!(
            lines(&"https://skills.example.org/base".parse().unwrap(), &documents),
            "https://skills.example.org/base/api/v1/skills/team/hello\n\
             https://skills.example.org/base/api/v1/skills/team/hello.json\n\
             https://skills.example.org/base/team/hello/\n\
             https://skills.example.org/base/team/hello/index.html\n"
        );
    }

    #[test]
    fn command_that_hangs_is_ended() {
        let mut child = Command::new("sleep").arg("600").stdin(Stdio::piped()).spawn().unwrap();
        feed(&mut child, "all\n".into());
        let ended = await_success(&mut child, Instant::now(), Duration::ZERO);
        assert_eq!(ended, Err("takes longer than 0 seconds".into()));
        end(&mut child);
        assert!(!child.wait().unwrap().success());
    }
}
