//! The thread that writes downloads to the local store.

use std::collections::HashSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use generator::address::Document;
use registry::local::{Download, LocalStore};
use registry::time::Day;
use registry::{Registry, with_causes};

/// How long downloads are collected, so that one write serves many.
const BATCH_INTERVAL: Duration = Duration::from_secs(1);
/// The pause after a failure.
const RETRY_INTERVAL: Duration = Duration::from_secs(10);
/// How often the clients of past days are deleted.
const CLEANUP_INTERVAL: Duration = Duration::from_secs(60 * 60);
/// The most downloads in one write, and in memory while writing fails. More are
/// not counted.
const MAX_BATCH: usize = 10_000;

/// A package that was sent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Served {
    /// The immutable address of the package.
    pub package: Document,
    /// The client.
    pub client: IpAddr,
    /// The day in UTC.
    pub day: Day,
}

pub(super) struct Writer {
    registry: Arc<Registry>,
    local: Arc<LocalStore>,
    /// A set, because the store would not count a download twice either.
    waiting: HashSet<Served>,
    /// When to write `waiting`; `None` if it is empty.
    due: Option<Instant>,
    /// Whether the last attempt failed.
    is_failing: bool,
}

impl Writer {
    pub(super) fn new(registry: Arc<Registry>, local: Arc<LocalStore>) -> Self {
        Self { registry, local, waiting: HashSet::new(), due: None, is_failing: false }
    }

    /// Counts downloads until `None` arrives. Then writes what is left.
    pub(super) fn run(mut self, messages: &Receiver<Option<Served>>) {
        let mut cleanup = Instant::now();
        loop {
            let now = Instant::now();
            if now >= cleanup {
                cleanup = now + CLEANUP_INTERVAL;
                if let Err(error) = self.local.forget_clients() {
                    tracing::warn!(error = %with_causes(&error), "cannot delete the clients of past days");
                }
            }
            let until = self.due.unwrap_or(cleanup).min(cleanup);
            match messages.recv_timeout(until.saturating_duration_since(now)) {
                Ok(Some(served)) => self.take(served),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(None) | Err(RecvTimeoutError::Disconnected) => return self.write(),
            }
            if self.due.is_some_and(|due| due <= Instant::now()) {
                self.write();
            }
        }
    }

    fn take(&mut self, served: Served) {
        let now = Instant::now();
        if self.waiting.len() < MAX_BATCH {
            self.waiting.insert(served);
            self.due.get_or_insert(now + BATCH_INTERVAL);
        }
        if self.waiting.len() >= MAX_BATCH && !self.is_failing {
            self.due = Some(now);
        }
    }

    fn write(&mut self) {
        let downloads = self.identified();
        let counted = if downloads.is_empty() { None } else { Some(self.local.count_downloads(&downloads)) };
        match counted.transpose() {
            Ok(_) => {
                self.waiting.clear();
                self.due = None;
                self.is_failing = false;
            }
            Err(error) => {
                if !self.is_failing {
                    tracing::warn!(error = %with_causes(&error), "cannot count downloads; trying again");
                }
                self.due = Some(Instant::now() + RETRY_INTERVAL);
                self.is_failing = true;
            }
        }
    }

    /// The downloads that wait, by ids, without versions that were removed since.
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
    fn full_batch_is_written_at_once_and_not_exceeded() {
        let data = tempfile::tempdir().unwrap();
        let mut writer = writer(data.path());
        assert_eq!(writer.due, None);
        writer.take(served(0));
        let first = writer.due.unwrap();
        for _ in 0..10 {
            writer.take(served(0));
        }
        assert_eq!(
            (writer.waiting.len(), writer.due),
            (1, Some(first)),
            "a repeated download does not count or delay"
        );
        for client in 0..=MAX_BATCH as u32 {
            writer.take(served(client));
        }
        assert_eq!(writer.waiting.len(), MAX_BATCH);
        assert!(writer.due.unwrap() <= Instant::now(), "a full batch is due at once");
        // The version does not exist, so nothing is counted.
        writer.write();
        assert_eq!((writer.waiting.len(), writer.due), (0, None));
    }

    #[test]
    fn failing_store_is_not_retried_early() {
        let data = tempfile::tempdir().unwrap();
        let mut writer = writer(data.path());
        writer.is_failing = true;
        let later = Instant::now() + RETRY_INTERVAL;
        writer.due = Some(later);
        for client in 0..=MAX_BATCH as u32 {
            writer.take(served(client));
        }
        assert_eq!((writer.waiting.len(), writer.due), (MAX_BATCH, Some(later)));
    }

    #[test]
    fn end_message_ends_the_thread_with_open_senders() {
        let data = tempfile::tempdir().unwrap();
        let (sender, receiver) = sync_channel(2);
        sender.send(Some(served(1))).unwrap();
        sender.send(None).unwrap();
        writer(data.path()).run(&receiver);
        drop(sender);
    }
}
