//! Makes appended rows durable, with one sync of the log for all writers that
//! wait at the same time.
//!
//! The writer's connection commits without a sync (`synchronous=normal`): the
//! row is then in the log, where every process reads it, but a power loss may
//! take the last rows away again. [`LogSync::up_to`] waits until a row is safe.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;

use crate::journal::database::beside;
use crate::journal::{JournalError, Revision, folder};

/// The log of one journal. SQLite locks other files, so a handle on the log may
/// be closed at any time.
pub(super) struct LogSync {
    log: File,
    /// All rows up to this one survive a power loss. Locked during a sync.
    durable: Mutex<Revision>,
    /// Whether a sync has failed. The system may then have dropped pages of the
    /// log, and reports this only once: a later sync proves nothing.
    has_failed: AtomicBool,
}

impl LogSync {
    /// Opens the log of the journal at `path`, after SQLite has created it. It
    /// stays the same file while a connection is open.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let log = File::open(beside(path, "-wal"))?;
        // The name of the log has to survive a power loss, too.
        folder::sync(folder::parent(path))?;
        Ok(Self { log, durable: Mutex::default(), has_failed: AtomicBool::default() })
    }

    /// Waits until the rows up to `revision` are durable. The first of several
    /// callers syncs for all rows that are in the log by then; `head` reads the
    /// number of the last one.
    ///
    /// Errors: [`JournalError::Storage`] if this or an earlier sync has failed.
    pub(super) fn up_to(
        &self,
        revision: Revision,
        head: impl FnOnce() -> Result<Revision, JournalError>,
    ) -> Result<(), JournalError> {
        self.up_to_with(revision, head, || self.log.sync_data())
    }

    fn up_to_with(
        &self,
        revision: Revision,
        head: impl FnOnce() -> Result<Revision, JournalError>,
        sync: impl FnOnce() -> io::Result<()>,
    ) -> Result<(), JournalError> {
        // Callers that wait for this lock are served by this sync or the next.
        let mut durable = self.durable.lock();
        if revision <= *durable {
            return Ok(());
        }
        self.check()?;
        // Read before the sync, which covers no later rows.
        let head = head()?;
        sync().inspect_err(|_| self.has_failed.store(true, Ordering::Release))?;
        *durable = head;
        Ok(())
    }

    /// Refuses more rows after a failed sync. Does not wait for a sync.
    pub(super) fn check(&self) -> Result<(), JournalError> {
        if !self.has_failed.load(Ordering::Acquire) {
            return Ok(());
        }
        let why = "an earlier write did not reach the disk: check the disk, then restart the server";
        Err(JournalError::Storage(why.into()))
    }

    /// The last row that is known to be durable.
    #[cfg(test)]
    pub(super) fn durable(&self) -> Revision {
        *self.durable.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::sync::mpsc::channel;

    use super::*;

    fn log() -> (tempfile::TempDir, LogSync) {
        let data = tempfile::tempdir().unwrap();
        let path = data.path().join("journal");
        File::create(beside(&path, "-wal")).unwrap();
        let log = LogSync::open(&path).unwrap();
        (data, log)
    }

    #[test]
    fn rows_appended_during_a_sync_share_the_next_one() {
        let (_data, log) = log();
        let (head, syncs) = (AtomicU64::new(1), AtomicU64::new(0));
        let read_head = || Ok(head.load(Ordering::SeqCst));
        let count = || {
            syncs.fetch_add(1, Ordering::SeqCst);
            Ok(())
        };
        let (begun, begins) = channel();
        let (end, ended) = channel();
        std::thread::scope(|threads| {
            let log = &log;
            threads.spawn(move || {
                let wait = || {
                    begun.send(()).unwrap();
                    ended.recv().unwrap();
                    Ok(())
                };
                log.up_to_with(1, read_head, wait).unwrap();
            });
            begins.recv().unwrap();
            log.check().unwrap();
            head.store(9, Ordering::SeqCst);
            for revision in 2..=9 {
                threads.spawn(move || log.up_to_with(revision, read_head, count).unwrap());
            }
            end.send(()).unwrap();
        });
        assert_eq!(syncs.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn rows_after_a_failed_sync_are_refused() {
        let (_data, log) = log();
        log.up_to_with(1, || Ok(2), || Ok(())).unwrap();
        log.up_to_with(3, || Ok(3), || Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        log.up_to(2, || Ok(3)).unwrap();
        log.check().unwrap_err();
        let refused = crate::with_causes(&log.up_to(3, || Ok(3)).unwrap_err());
        assert!(refused.contains("restart"), "{refused}");
    }
}
