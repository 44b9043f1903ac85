//! The thread that brings downloads to the local store.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use generator::address::Document;
use registry::Registry;
use registry::local::{Download, LocalError, LocalStore};
use registry::time::Day;

/// How long downloads are gathered, so that the disk is waited for once.
const GATHER: Duration = Duration::from_secs(1);
/// How long after a failure the next attempt is.
const BACKOFF: Duration = Duration::from_secs(10);
/// How often clients of old days are looked for, who are to be forgotten.
const TIDY: Duration = Duration::from_secs(60 * 60);
/// How many downloads are written at once, and how many are kept in memory while
/// they cannot be written. More are not counted.
const MOST: usize = 10_000;

/// What the thread is told.
pub(super) enum Message {
    /// A package was sent.
    Served(Served),
    /// Write what there is, and end.
    End,
}

/// A package that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Served {
    /// At its immutable address.
    pub package: Document,
    /// To whom.
    pub client: IpAddr,
    /// When, in UTC.
    pub day: Day,
}

pub(super) struct Writer {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    /// Each once: the store would not count it again either.
    waiting: HashSet<Served>,
    /// When `waiting` is to be written; None where it is empty.
    due: Option<Instant>,
    /// Whether the last attempt failed.
    is_failing: bool,
}

impl Writer {
    pub(super) fn new(registry: Arc<Registry>, local: Arc<LocalStore>) -> Self {
        Self { registry, local, waiting: HashSet::new(), due: None, is_failing: false }
    }

    pub(super) fn run(mut self, messages: &Receiver<Message>) {
        let mut tidy = Instant::now();
        loop {
            let now = Instant::now();
            if now >= tidy {
                tidy = now + TIDY;
                if let Err(error) = self.local.forget_clients() {
                    tracing::warn!(%error, "who downloaded something long ago could not be forgotten");
                }
            }
            let until = self.due.unwrap_or(tidy).min(tidy);
            match messages.recv_timeout(until.saturating_duration_since(now)) {
                Ok(Message::Served(served)) => self.take(served),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Message::End) | Err(RecvTimeoutError::Disconnected) => return self.write(),
            }
            if self.due.is_some_and(|due| due <= Instant::now()) {
                self.write();
            }
        }
    }

    fn take(&mut self, served: Served) {
        let now = Instant::now();
        if self.waiting.len() < MOST {
            self.waiting.insert(served);
            self.due.get_or_insert(now + GATHER);
        }
        if self.waiting.len() >= MOST && !self.is_failing {
            self.due = Some(now);
        }
    }

    fn write(&mut self) {
        let downloads = self.identified();
        let outcome = if downloads.is_empty() { Ok(()) } else { self.count(&downloads) };
        match outcome {
            Ok(()) => {
                self.waiting.clear();
                self.due = None;
                self.is_failing = false;
            }
            Err(error) => {
                if !self.is_failing {
                    tracing::warn!(%error, "downloads cannot be counted; trying again");
                }
                self.due = Some(Instant::now() + BACKOFF);
                self.is_failing = true;
            }
        }
    }

    fn count(&self, downloads: &[Download]) -> Result<(), LocalError> {
        self.local.count_downloads(downloads).map(|_| ())
    }

    /// What is waiting, by ids. A version that has gone meanwhile has none.
    fn identified(&self) -> Vec<Download> {
        let public = self.registry.public();
        let catalog = public.read();
        let identify = |served: &Served| {
            let Document::Package(coordinate, version) = &served.package else { return None };
            let skill = catalog.skill(coordinate)?;
            let version = skill.version(version)?;
            let Served { client, day, .. } = *served;
            Some(Download { skill: skill.id, version: version.id, day, client })
        };
        self.waiting.iter().filter_map(identify).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::mpsc::sync_channel;

    use registry::journal::MemoryJournal;
    use registry::time::Timestamp;

    use super::*;

    fn writer(data: &std::path::Path) -> Writer {
        let registry = Registry::open(Arc::new(MemoryJournal::new())).unwrap();
        let (local, _) = LocalStore::open(data).unwrap();
        Writer::new(Arc::new(registry), Arc::new(local))
    }

    fn served(client: u32) -> Served {
        let package = Document::Package("hello".parse().unwrap(), "1.0.0".parse().unwrap());
        let day = Day::from(Timestamp::default());
        Served { package, client: Ipv4Addr::from_bits(client).into(), day }
    }

    #[test]
    fn memory_has_an_end() {
        let data = tempfile::tempdir().unwrap();
        let mut writer = writer(data.path());
        assert_eq!(writer.due, None);
        writer.take(served(0));
        let first = writer.due.unwrap();
        for _ in 0..10 {
            writer.take(served(0));
        }
        assert_eq!((writer.waiting.len(), writer.due), (1, Some(first)), "each once, and not later");
        for client in 0..=MOST as u32 {
            writer.take(served(client));
        }
        assert_eq!(writer.waiting.len(), MOST);
        assert!(writer.due.unwrap() <= Instant::now(), "a full one is written at once");
        // What has gone meanwhile has no number to be counted in.
        writer.write();
        assert_eq!((writer.waiting.len(), writer.due), (0, None));
    }

    #[test]
    fn a_disk_that_refuses_is_not_hurried() {
        let data = tempfile::tempdir().unwrap();
        let mut writer = writer(data.path());
        writer.is_failing = true;
        let later = Instant::now() + BACKOFF;
        writer.due = Some(later);
        for client in 0..=MOST as u32 {
            writer.take(served(client));
        }
        assert_eq!((writer.waiting.len(), writer.due), (MOST, Some(later)));
    }

    #[test]
    fn it_ends_when_it_is_told_though_others_could_still_speak() {
        let data = tempfile::tempdir().unwrap();
        let (sender, receiver) = sync_channel(2);
        sender.send(Message::Served(served(1))).unwrap();
        sender.send(Message::End).unwrap();
        writer(data.path()).run(&receiver);
        drop(sender);
    }
}
