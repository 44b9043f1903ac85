//! Modification times that stand for a state of the tree instead of a time of day.
//!
//! Hosts make validators of a file's modification second and size, and would miss a rewrite of
//! equal length within one second. So a file's time is 2020-01-01T00:00:00Z plus one second per
//! revision and per counter generation of the state that wrote it. Both only grow, so equal times
//! on one path mean equal bytes, on every mirror.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::State;

/// 2020-01-01T00:00:00Z in Unix seconds.
const START: u64 = 1_577_836_800;

/// 2025-01-01T00:00:00Z in Unix seconds: later than every state's time, earlier than every clock.
const FIRST_CLOCK_TIME: u64 = 1_735_689_600;

/// A file's time may be this far ahead of the state and still count as ours. Each change of format
/// or settings moves it by a second. A registry restored without its counters is behind by all
/// their generations, some thousands a day. The clock is two hundred million seconds ahead.
const MAX_DRIFT: Duration = Duration::from_secs(30_000_000);

/// The modification time of files written for a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateTime(SystemTime);

impl StateTime {
    /// The time for a state.
    pub fn of(state: State) -> Self {
        let seconds = START.saturating_add(state.revision).saturating_add(state.counters);
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        Self(time.unwrap_or(UNIX_EPOCH))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_of_a_replaced_file_moves_on() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(START + seconds);
        let state = StateTime::of(State { revision: 40, counters: 2 });
        assert_eq!(state.after(None), at(42));
        assert_eq!(state.after(Some(at(7))), at(42));
        assert_eq!(state.after(Some(at(42))), at(43));
        assert_eq!(state.after(Some(at(50))), at(51));
        assert!(StateTime::is_state_time(state.after(None)) && !StateTime::is_state_time(SystemTime::now()));
        // A file edited by hand has the time of day.
        assert_eq!(state.after(Some(at(200_000_000))), at(42));
    }
}
