//! Modification times that name a state of the tree instead of a time of day.
//!
//! Hosts make validators of a file's modification second and size; a rewrite
//! of equal length within one second would be missed. So a file's time is
//! 2020-01-01T00:00:00Z plus as many seconds as the head's revision and
//! counter generation, added up, at which it was written: both only grow, so
//! equal times on one path mean equal bytes, on every mirror.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::State;

/// 2020-01-01T00:00:00Z in Unix seconds.
const START: u64 = 1_577_836_800;

/// 2025-01-01T00:00:00Z in Unix seconds: no state is so far, and no clock of
/// ours was ever behind it.
const BEFORE_US: u64 = 1_735_689_600;

/// How far in front of the state a file's time may be and still count as one
/// that we gave. Changes of format or settings move it by one each; a registry
/// that was restored without its counters is behind by all their generations,
/// some thousands a day. The clock's own time is two hundred million in front.
const DRIFT: Duration = Duration::from_secs(30_000_000);

/// The time that files written for one state get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StateTime(SystemTime);

impl StateTime {
    /// The time of a state.
    pub fn of(state: State) -> Self {
        let seconds = START.saturating_add(state.revision).saturating_add(state.counters);
        let time = UNIX_EPOCH.checked_add(Duration::from_secs(seconds));
        Self(time.unwrap_or(UNIX_EPOCH))
    }

    /// The time itself.
    pub(super) fn time(self) -> SystemTime {
        self.0
    }

    /// Whether a time is one of a state, and not of the clock.
    pub(super) fn is_one(time: SystemTime) -> bool {
        time < UNIX_EPOCH + Duration::from_secs(BEFORE_US)
    }

    /// The time for a file that takes the place of one of that time: later
    /// than it, where it was ours.
    pub(super) fn after(self, replaced: Option<SystemTime>) -> SystemTime {
        match replaced {
            Some(time) if time >= self.0 && time <= self.0 + DRIFT => time + Duration::from_secs(1),
            _ => self.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_name_states_and_move_on() {
        let at = |seconds| UNIX_EPOCH + Duration::from_secs(START + seconds);
        let state = StateTime::of(State { revision: 40, counters: 2 });
        assert_eq!(state.after(None), at(42));
        assert_eq!(state.after(Some(at(7))), at(42));
        assert_eq!(state.after(Some(at(42))), at(43));
        assert_eq!(state.after(Some(at(50))), at(51));
        assert!(StateTime::is_one(state.after(None)) && !StateTime::is_one(SystemTime::now()));
        // A file damaged by hand has the time of day.
        assert_eq!(state.after(Some(at(200_000_000))), at(42));
    }
}
