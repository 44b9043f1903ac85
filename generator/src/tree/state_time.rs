//! Modification times that stand for a state of the tree instead of a time of day.
//!
//! Hosts make validators of a file's modification second and size, and would miss a rewrite of
//! equal length within one second. So a file's time is 2020-01-01T00:00:00Z plus one second per
//! revision and per counter generation of the state that wrote it. Both only grow, so equal times
//! on one path mean equal bytes, on every mirror.
//!
//! Other settings, another format or another history make other bytes for the same numbers. Each
//! such change of a tree adds [`OFFSET_STEP`] seconds to all later times. The cursor remembers the
//! sum, so that even a tree whose files were deleted uses no time twice.

use std::fs::Metadata;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::State;

/// 2020-01-01T00:00:00Z in Unix seconds.
const START: u64 = 1_577_836_800;

/// 2025-01-01T00:00:00Z in Unix seconds: later than every state's time, earlier than every clock.
const FIRST_CLOCK_TIME: u64 = 1_735_689_600;

/// The seconds that a change of settings, format or history adds.
const OFFSET_STEP: u64 = 250_000;

/// A cursor may be behind the files by this many seconds, because a power loss or a kill can take
/// its last updates.
const MAX_CURSOR_LAG: u64 = OFFSET_STEP / 2;

/// A file's time may be this far ahead of the state and still count as ours. Each change of format
/// or settings moves it by a second. A registry restored without its counters is behind by all
/// their generations, some thousands a day. The clock is two hundred million seconds ahead.
const MAX_DRIFT: Duration = Duration::from_secs(30_000_000);

/// The modification time of files written for a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateTime(SystemTime);

impl StateTime {
    /// The time for a state of a tree with this offset.
    pub fn of(state: State, offset: u64) -> Self {
        let seconds = START.saturating_add(state.sum()).saturating_add(offset);
        Self(UNIX_EPOCH + Duration::from_secs(seconds.min(FIRST_CLOCK_TIME - 1)))
    }

    /// The offset after a change of settings, format or history: the next one whose time for
    /// `state` is later than all that were used up to `last` with the offset `before`.
    pub(crate) fn next_offset(state: State, last: State, before: u64) -> u64 {
        let used = last.sum().saturating_add(before).saturating_add(MAX_CURSOR_LAG);
        let missing = used.saturating_sub(state.sum()).div_ceil(OFFSET_STEP);
        missing.saturating_mul(OFFSET_STEP).max(before.saturating_add(OFFSET_STEP))
    }

    /// The offset of a tree whose files for `state` have the modification time `time`.
    pub(super) fn offset_of(time: SystemTime, state: State) -> u64 {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        since.saturating_sub(START).saturating_sub(state.sum())
    }

    /// The time as the file system has it.
    pub(super) fn time(self) -> SystemTime {
        self.0
    }

    /// Whether a time stands for a state, and is not a time of day.
    pub(super) fn is_state_time(time: SystemTime) -> bool {
        time < UNIX_EPOCH + Duration::from_secs(FIRST_CLOCK_TIME)
    }

    /// The time for a file that replaces one of the time `replaced`: later than it, if that stands
    /// for a state.
    pub(super) fn after(self, replaced: Option<SystemTime>) -> SystemTime {
        match replaced {
            Some(time) if time >= self.0 && time <= self.0 + MAX_DRIFT => time + Duration::from_secs(1),
            _ => self.0,
        }
    }
}

/// The modification time, if the file exists and the file system records one.
pub(super) fn modified(file: Option<&Metadata>) -> Option<SystemTime> {
    file.and_then(|file| file.modified().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_a_replaced_file_moves_on() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(START + seconds);
        let state = StateTime::of(State { revision: 40, counters: 2 }, 0);
        assert_eq!(state.after(None), at(42));
        assert_eq!(state.after(Some(at(7))), at(42));
        assert_eq!(state.after(Some(at(42))), at(43));
        assert_eq!(state.after(Some(at(50))), at(51));
        assert!(StateTime::is_state_time(state.after(None)) && !StateTime::is_state_time(SystemTime::now()));
        // A file edited by hand has the time of day.
        assert_eq!(state.after(Some(at(200_000_000))), at(42));
    }

    #[test]
    fn next_offset_makes_every_time_later_than_all_before() {
        let state = |revision, counters| State { revision, counters };
        for (now, last, before) in [
            (state(40, 2), state(40, 2), 0),
            (state(3, 0), state(400, 900), 0),
            (state(3, 0), state(4_000_000, 900), 250_000),
            (state(500, 0), state(4, 0), 750_000),
        ] {
            let offset = StateTime::next_offset(now, last, before);
            let lag = Duration::from_secs(MAX_CURSOR_LAG);
            assert!(StateTime::of(now, offset).0 >= StateTime::of(last, before).0 + lag, "{now:?}");
            assert_eq!(StateTime::offset_of(StateTime::of(now, offset).0, now), offset);
        }
        // Trees that change their settings at about the same time agree.
        assert_eq!(StateTime::next_offset(state(40, 2), state(40, 2), 0), OFFSET_STEP);
        assert_eq!(StateTime::next_offset(state(47, 9), state(41, 2), 0), OFFSET_STEP);
        // Times stay earlier than those of clocks, whatever a source claims.
        assert!(StateTime::is_state_time(StateTime::of(state(u64::MAX, 9), u64::MAX).0));
    }
}
