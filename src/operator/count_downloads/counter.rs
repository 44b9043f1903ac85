//! Counts the new lines of a log, in batches.

use std::io;
use std::path::Path;

use indicatif::ProgressBar;
use registry::local::{Download, KnownLog, LocalError, LocalStore, LogCounted, LogPosition, LogStart};
use registry::public::PublicCatalog;

use super::classify::{Verdict, classify};
use super::line::{self, Line};
use super::log::{Log, LogLine};
use super::tally::Tally;

/// The limits of a batch. After a crash, at most one batch is read again.
const MAX_BATCH_BYTES: u64 = 8 << 20;
const MAX_BATCH_DOWNLOADS: usize = 10_000;

/// Why a log was not read to its end.
#[derive(Debug)]
pub enum ReadError {
    /// The file cannot be read.
    File(io::Error),
    /// The counts cannot be saved.
    Store(LocalError),
}

impl From<io::Error> for ReadError {
    fn from(why: io::Error) -> Self {
        Self::File(why)
    }
}

impl From<LocalError> for ReadError {
    fn from(why: LocalError) -> Self {
        Self::Store(why)
    }
}

/// Counts the downloads of logs.
pub struct LogCounter<'a> {
    /// The store of the counts.
    pub local: &'a LocalStore,
    /// The known skills and versions.
    pub catalog: &'a PublicCatalog,
    /// The progress in the current file.
    pub bar: ProgressBar,
}

impl LogCounter<'_> {
    /// Counts the new lines of the log `path` into `tally`. After an error, the lines before it
    /// stay counted.
    pub fn count(&self, path: &Path, tally: &mut Tally) -> Result<(), ReadError> {
        // If another process counts the same log, continue after its lines.
        while self.count_on(path, tally)? == Progress::Conflict {}
        Ok(())
    }

    fn count_on(&self, path: &Path, tally: &mut Tally) -> Result<Progress, ReadError> {
        let Some(start) = self.start(path)? else { return Ok(Progress::Done) };
        let mut known = self.local.known_log(start)?;
        let (mut log, mut from) = self.continued(path, &known)?;
        loop {
            let mut batch = Batch::new(log.bytes());
            let ended = self.read_batch(&mut log, &mut batch);
            let to = log.position();
            if to.bytes > batch.from {
                match self.local.count_log(&known, from, to, &batch.downloads)? {
                    LogCounted::Conflict => return Ok(Progress::Conflict),
                    LogCounted::Done(counted, now) => {
                        tally.add(batch.tally, counted);
                        known = now;
                        from = Some(to);
                    }
                }
            }
            // Checked only now, so that the lines before an error are counted.
            if ended? {
                return Ok(Progress::Done);
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
        for position in known.positions() {
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

    /// Reads lines until the batch is full. Returns true at the end of the log.
    fn read_batch(&self, log: &mut Log, batch: &mut Batch) -> Result<bool, ReadError> {
        loop {
            let read = match log.read_line()? {
                None => return Ok(true),
                Some(LogLine::TooLong) => Line::Unreadable,
                Some(LogLine::Whole(bytes)) if bytes.trim_ascii().is_empty() => continue,
                Some(LogLine::Whole(bytes)) => line::read(bytes),
            };
            batch.tally.lines += 1;
            match read {
                Line::Other => batch.tally.other += 1,
                Line::Unreadable => batch.tally.unreadable(log.lines()),
                Line::Request(logged) => match classify(&logged, self.catalog) {
                    Verdict::Download(download) => batch.downloads.push(download),
                    Verdict::Unnamed => batch.tally.unnamed += 1,
                    Verdict::Incomplete => batch.tally.incomplete += 1,
                    Verdict::Unknown => batch.tally.unknown += 1,
                    Verdict::Other => batch.tally.other += 1,
                },
            }
            if batch.downloads.len() >= MAX_BATCH_DOWNLOADS || log.bytes() - batch.from >= MAX_BATCH_BYTES {
                return Ok(false);
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Progress {
    Done,
    Conflict,
}

/// The lines that are counted in one transaction.
struct Batch {
    /// The position of its first line.
    from: u64,
    downloads: Vec<Download>,
    tally: Tally,
}

impl Batch {
    fn new(from: u64) -> Self {
        Self { from, downloads: Vec::new(), tally: Tally::default() }
    }
}
