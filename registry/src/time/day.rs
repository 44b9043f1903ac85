//! Calendar days in UTC.

use std::fmt;

use super::{MAX, MIN, Timestamp};

const SECONDS: i64 = 24 * 60 * 60;

/// A day in UTC, in the years 0 to 9999. As text: `2026-01-31`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day(i64);

impl Day {
    /// Converts days since 1970-01-01. None outside of the years 0 to 9999.
    pub fn from_number(number: i64) -> Option<Self> {
        (MIN / SECONDS..=MAX / SECONDS).contains(&number).then_some(Self(number))
    }

    /// Days since 1970-01-01.
    pub fn number(self) -> i64 {
        self.0
    }
}

impl From<Timestamp> for Day {
    /// The day of a time.
    fn from(time: Timestamp) -> Self {
        Self(time.as_unix().div_euclid(SECONDS))
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let midnight = Timestamp::from_unix(self.0 * SECONDS).ok_or(fmt::Error)?.to_string();
        f.write_str(midnight.split('T').next().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_ends_at_midnight_in_utc() {
        let day = |text: &str| Day::from(text.parse::<Timestamp>().unwrap()).to_string();
        assert_eq!(day("2026-01-31T23:59:59Z"), "2026-01-31");
        assert_eq!(day("2026-02-01T00:00:00Z"), "2026-02-01");
        assert_eq!(day("2026-02-01T00:30:00+02:00"), "2026-01-31");
        assert_eq!(day("1969-12-31T23:59:59Z"), "1969-12-31");
    }

    #[test]
    fn day_round_trips_as_number_and_text() {
        for time in [MIN, -1, 0, MAX] {
            let day = Day::from(Timestamp(time));
            assert_eq!(Day::from_number(day.number()), Some(day));
            assert_eq!(day.to_string().len(), 10);
        }
        assert_eq!(Day::from_number(MAX / SECONDS + 1), None);
        assert_eq!(Day::from_number(i64::MIN), None);
    }
}
