//! A log's new lines, counted part by part.

use std::io;
use std::path::Path;

use indicatif::ProgressBar;
use registry::local::{Download, KnownLog, LocalError, LocalStore, LogCounted, LogPosition, LogStart};
use registry::public::PublicCatalog;

use super::classify::{Verdict, classify};
use super::line::{self, Line};
use super::log::{Log, LogLine};
use super::tally::Tally;

/// A part ends behind so many bytes or downloads: that much is counted at once,
/// or, after a crash, once more.
const MOST_BYTES: u64 = 8 << 20;
const MOST_DOWNLOADS: usize = 10_000;

/// Why a log was not read to its end.
#[derive(Debug)]
pub enum ReadError {
    /// The file cannot be read.
    File(io::Error),
    /// What was counted cannot be kept.
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

/// Counts with these.
pub struct LogCounter<'a> {
    /// What downloads are counted in.
    pub local: &'a LocalStore,
    /// What there is to download.
    pub catalog: &'a PublicCatalog,
    /// How much of a file is read.
    pub bar: ProgressBar,
}

impl LogCounter<'_> {
    /// Counts what is new in the log `path`. What it came to is in `tally`, on an
    /// error too: what was counted by then stays counted.
    pub fn count(&self, path: &Path, tally: &mut Tally) -> Result<(), ReadError> {
        // Again where another process counts the same log: it is further each time.
        while self.count_on(path, tally)? == Progress::Conflict {}
        Ok(())
    }

    fn count_on(&self, path: &Path, tally: &mut Tally) -> Result<Progress, ReadError> {
        let Some(start) = self.start(path)? else { return Ok(Progress::Done) };
        let mut known = self.local.known_log(start)?;
        let (mut log, mut from) = self.continued(path, &known)?;
        loop {
            let mut part = Part::new(log.bytes());
            let ended = self.read_part(&mut log, &mut part);
            let to = log.position();
            if to.bytes > part.from {
                match self.local.count_log(&known, from, to, &part.downloads)? {
                    LogCounted::Conflict => return Ok(Progress::Conflict),
                    LogCounted::Done(counted, now) => {
                        tally.add(part.tally, counted);
                        known = now;
                        from = Some(to);
                    }
                }
            }
            // Only now: what was read before it broke off is counted.
            if ended? {
                return Ok(Progress::Done);
            }
        }
    }

    /// How the log begins; None where it has no whole line.
    fn start(&self, path: &Path) -> io::Result<Option<LogStart>> {
        let mut log = Log::open(path, &self.bar)?;
        let first = log.read_line()?.map(|found| match found {
            LogLine::Whole(line) => LogStart::of(line),
            LogLine::TooLong => LogStart::of(b""),
        });
        Ok(first)
    }

    /// The log behind what was counted of it, and that position.
    fn continued(&self, path: &Path, known: &KnownLog) -> io::Result<(Log, Option<LogPosition>)> {
        let mut log = Log::open(path, &self.bar)?;
        let mut found: Option<LogPosition> = None;
        let mut can_go_on = true;
        for position in known.positions() {
            match log.skip_to(position.bytes) {
                Ok(true) if log.position() == *position => found = Some(*position),
                Ok(true) => {}
                Ok(false) => break,
                // Damaged behind here, maybe behind what is new: that is found
                // when it is read.
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

    /// Reads until a part is full; true at the end of the log.
    fn read_part(&self, log: &mut Log, part: &mut Part) -> Result<bool, ReadError> {
        loop {
            let read = match log.read_line()? {
                None => return Ok(true),
                Some(LogLine::TooLong) => Line::Unreadable,
                Some(LogLine::Whole(bytes)) if bytes.trim_ascii().is_empty() => continue,
                Some(LogLine::Whole(bytes)) => line::read(bytes),
            };
            part.tally.lines += 1;
            match read {
                Line::Other => part.tally.other += 1,
                Line::Unreadable => part.tally.unreadable(log.lines()),
                Line::Request(logged) => match classify(&logged, self.catalog) {
                    Verdict::Download(download) => part.downloads.push(download),
                    Verdict::Unnamed => part.tally.unnamed += 1,
                    Verdict::Incomplete => part.tally.incomplete += 1,
                    Verdict::Unknown => part.tally.unknown += 1,
                    Verdict::Other => part.tally.other += 1,
                },
            }
            if part.downloads.len() >= MOST_DOWNLOADS || log.bytes() - part.from >= MOST_BYTES {
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

/// What is counted at once.
struct Part {
    /// Where in the log it begins.
    from: u64,
    downloads: Vec<Download>,
    tally: Tally,
}

impl Part {
    fn new(from: u64) -> Self {
        Self { from, downloads: Vec::new(), tally: Tally::default() }
    }
}
