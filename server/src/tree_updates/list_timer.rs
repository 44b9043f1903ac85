//! When lists and everything else that shows several skills are written.

use std::time::{Duration, Instant};

/// So long nothing must happen before lists are written at once.
const QUIET: Duration = Duration::from_millis(20);

/// So many rows of another process at once are a part of an import, whose next batch comes soon.
const MIN_IMPORT_ROWS: u64 = 16;

/// Knows how long lists may still wait for further changes.
pub(super) struct ListTimer {
    interval: Duration,
    /// Since when the lists lack a change.
    behind_since: Option<Instant>,
    /// Whether the lists lack rows of an import. [`QUIET`] is too short to notice its end.
    lacks_import: bool,
}

impl ListTimer {
    /// Lists follow at most `interval` after a change.
    pub(super) fn new(interval: Duration) -> Self {
        Self { interval, behind_since: None, lacks_import: false }
    }

    /// Notes whether the lists lack a change.
    pub(super) fn note(&mut self, is_behind: bool, now: Instant) {
        self.behind_since = is_behind.then(|| self.behind_since.unwrap_or(now));
    }

    /// Notes how many rows of another process came at once.
    pub(super) fn note_rows_of_others(&mut self, rows: u64) {
        self.lacks_import |= rows >= MIN_IMPORT_ROWS;
    }

    /// Notes that the lists were written as they had to be at the time `then`, and whether they lack
    /// a change since.
    pub(super) fn written(&mut self, is_behind: bool, then: Instant) {
        self.behind_since = is_behind.then_some(then);
        self.lacks_import = false;
    }

    /// Whether the lists must be written now.
    pub(super) fn is_due(&self, now: Instant) -> bool {
        self.behind_since.is_some_and(|since| now.duration_since(since) >= self.interval)
    }

    /// How long to wait for a further change before the lists are written. `idle` if they lack
    /// none.
    pub(super) fn patience(&self, now: Instant, idle: Duration) -> Duration {
        let quiet = if self.lacks_import { idle } else { QUIET };
        let left = |since: Instant| self.interval.saturating_sub(now.duration_since(since)).min(quiet);
        self.behind_since.map_or(idle, left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_wait_for_quiet_but_not_longer_than_the_interval() {
        let (start, idle) = (Instant::now(), Duration::from_millis(250));
        let after = |millis| start + Duration::from_millis(millis);
        let mut timer = ListTimer::new(Duration::from_secs(1));
        assert_eq!((timer.is_due(start), timer.patience(start, idle)), (false, idle));
        timer.note(true, start);
        assert_eq!((timer.is_due(after(999)), timer.patience(after(500), idle)), (false, QUIET));
        // A further change does not start the interval again.
        timer.note(true, after(990));
        assert_eq!(timer.patience(after(990), idle), Duration::from_millis(10));
        assert!(timer.is_due(after(1000)));
        timer.written(true, after(1000));
        assert_eq!((timer.is_due(after(1999)), timer.is_due(after(2000))), (false, true));
        timer.written(false, after(2000));
        assert_eq!((timer.is_due(after(5000)), timer.patience(after(5000), idle)), (false, idle));
    }

    #[test]
    fn lists_wait_longer_for_the_next_rows_of_an_import() {
        let (start, idle) = (Instant::now(), Duration::from_millis(250));
        let after = |millis| start + Duration::from_millis(millis);
        let mut timer = ListTimer::new(Duration::from_secs(1));
        timer.note(true, start);
        timer.note_rows_of_others(MIN_IMPORT_ROWS - 1);
        assert_eq!(timer.patience(start, idle), QUIET);
        timer.note_rows_of_others(MIN_IMPORT_ROWS);
        timer.note_rows_of_others(1);
        assert_eq!(timer.patience(start, idle), idle);
        assert_eq!(timer.patience(after(990), idle), Duration::from_millis(10), "but not past the interval");
        timer.written(true, after(1000));
        assert_eq!(timer.patience(after(1000), idle), QUIET);
    }
}
