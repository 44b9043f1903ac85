//! Counts the new lines of a log, in batches.

use std::io;
use std::path::Path;

use indicatif::ProgressBar;
use registry::local::{Download, KnownLog, LocalStore, LogCounted, LogPosition, LogStart};
use registry::public::PublicCatalog;

use super::classify::classify;
use super::line::{self, LoggedRequest};
use super::log::{Log, LogLine};
use super::tally::{Skipped, Tally};
use crate::Failure;

/// The limits of a batch. After a crash, at most one batch is read again.
const MAX_BATCH_BYTES: u64 = 8 << 20;
const MAX_BATCH_DOWNLOADS: usize = 10_000;

/// Counts the downloads of logs.
pub struct LogCounter<'a> {
    /// The store of the counts.
    pub local: &'a LocalStore,
    /// The known skills and versions.
    pub catalog: &'a PublicCatalog,
    /// The start of all paths of a private namespace, such as `/-/acme`; empty for a main registry.
    pub base_path: String,
    /// The progress in the current file.
    pub bar: ProgressBar,
}

impl LogCounter<'_> {
    /// Counts the new lines of the log `path` into `tally`. After an error, the lines before it
    /// stay counted. An [`io::Error`] means that the log could not be read to its end.
    pub fn count(&self, path: &Path, tally: &mut Tally) -> Result<(), Failure> {
        // If another process counts the same log, continue after its lines.
        while !self.count_on(path, tally)? {}
        Ok(())
    }

    /// Counts the lines after the counted ones. Returns false if another process counted some of
    /// them meanwhile.
    fn count_on(&self, path: &Path, tally: &mut Tally) -> Result<bool, Failure> {
        let Some(start) = self.start(path)? else { return Ok(true) };
        let mut known = self.local.known_log(start)?;
        let (mut log, mut from) = self.continued(path, &known)?;
        loop {
            let mut batch = Batch { from: log.bytes(), ..Batch::default() };
            let ended = self.read_batch(&mut log, &mut batch);
            let to = log.position();
            if to.bytes > batch.from {
                match self.local.count_log(&known, from, to, &batch.downloads)? {
                    LogCounted::Conflict => return Ok(false),
                    LogCounted::Done(counted, now) => {
                        tally.add(&batch.tally, counted);
                        known = now;
                        from = Some(to);
                    }
                }
            }
            // Checked only now, so that the lines before an error are counted.
            if ended? {
                return Ok(true);
            }
        }
    }

    /// The first line, which identifies the log. None if there is no complete line.
    fn start(&self, path: &Path) -> io::Result<Option<LogStart>> {
        let mut log = Log::open(path, &self.bar)?;
        let first = log.read_line()?.map(|found| match found {
            LogLine::Whole(line) => LogStart::of(line),
            LogLine::TooLong => LogStart::of(b""),
        });
        Ok(first)
    }

    /// Opens the log after its counted lines. Returns that position, if any.
    fn continued(&self, path: &Path, known: &KnownLog) -> io::Result<(Log, Option<LogPosition>)> {
        let mut log = Log::open(path, &self.bar)?;
        let mut found: Option<LogPosition> = None;
        let mut can_go_on = true;
        for position in &known.positions {
            match log.skip_to(position.bytes) {
                Ok(true) if log.position() == *position => found = Some(*position),
                Ok(true) => {}
                Ok(false) => break,
                // Damaged after this position. Reading the new lines reports it if necessary.
                Err(_) => {
                    can_go_on = false;
                    break;
                }
            }
        }
        let bytes = found.map_or(0, |position| position.bytes);
        if !can_go_on || log.bytes() != bytes {
            log = Log::open(path, &self.bar)?;
            if !log.skip_to(bytes)? || found.is_some_and(|position| log.position() != position) {
                return Err(io::Error::other("it was replaced while it was read"));
            }
        }
        Ok((log, found))
    }

    /// A request with its path below the base path. Others are not of this registry.
    fn below_base(&self, logged: LoggedRequest) -> Result<LoggedRequest, Skipped> {
        let target = logged.target.strip_prefix(&self.base_path).filter(|target| target.starts_with('/'));
        match (self.base_path.is_empty(), target.map(str::to_owned)) {
            (true, _) => Ok(logged),
            (false, Some(target)) => Ok(LoggedRequest { target, ..logged }),
            (false, None) => Err(Skipped::Other),
        }
    }

    /// Reads lines until the batch is full. Returns true at the end of the log.
    fn read_batch(&self, log: &mut Log, batch: &mut Batch) -> Result<bool, Failure> {
        loop {
            let read = match log.read_line()? {
                None => return Ok(true),
                Some(LogLine::TooLong) => Err(Skipped::Unreadable),
                Some(LogLine::Whole(bytes)) if bytes.trim_ascii().is_empty() => continue,
                Some(LogLine::Whole(bytes)) => line::read(bytes),
            };
            batch.tally.lines += 1;
            match read.and_then(|logged| classify(&self.below_base(logged)?, self.catalog)) {
                Ok(download) => batch.downloads.push(download),
                Err(why) => batch.tally.skip(why, log.lines()),
            }
            if batch.downloads.len() >= MAX_BATCH_DOWNLOADS || log.bytes() - batch.from >= MAX_BATCH_BYTES {
                return Ok(false);
            }
        }
    }
}

/// The lines that are counted in one transaction.
#[derive(Default)]
struct Batch {
    /// The position of its first line.
    from: u64,
    downloads: Vec<Download>,
    tally: Tally,
}
