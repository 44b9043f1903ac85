//! Points in time, to the second.

use std::fmt;
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

mod day;

pub use day::Day;

/// A time in whole seconds, in the years 0 to 9999. As text it is RFC 3339 in UTC:
/// `2026-01-31T12:00:00Z`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp(i64);

const MIN: i64 = -62_167_219_200; // 0000-01-01T00:00:00Z
const MAX: i64 = 253_402_207_200; // 9999-12-30T22:00:00Z, the calendar library's end

impl Timestamp {
    /// The current time.
    pub fn now() -> Self {
        let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        Self(i64::try_from(seconds).unwrap_or(MAX).min(MAX))
    }

    /// Converts Unix seconds. None outside of the years 0 to 9999.
    pub fn from_unix(seconds: i64) -> Option<Self> {
        (MIN..=MAX).contains(&seconds).then_some(Self(seconds))
    }

    /// The time in Unix seconds.
    pub fn as_unix(self) -> i64 {
        self.0
    }

    /// Adds `duration`, up to the end of the year 9999.
    pub fn plus(self, duration: Duration) -> Self {
        let seconds = i64::try_from(duration.as_secs()).unwrap_or(MAX);
        Self(self.0.saturating_add(seconds).min(MAX))
    }
}

/// The text is not an RFC 3339 time.
#[derive(Debug, Clone, thiserror::Error)]
#[error("not a time: write it as 2026-01-31T12:00:00Z")]
pub struct TimestampError;

impl FromStr for Timestamp {
    type Err = TimestampError;

    fn from_str(text: &str) -> Result<Self, TimestampError> {
        let parsed: jiff::Timestamp = text.parse().map_err(|_| TimestampError)?;
        Self::from_unix(parsed.as_second()).ok_or(TimestampError)
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_second(self.0) {
            Ok(time) => write!(f, "{time:.0}"),
            Err(_) => Err(fmt::Error),
        }
    }
}

crate::names::text_forms!(Timestamp);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_as_text_is_rfc_3339_with_seconds() {
        let time = Timestamp::from_unix(1_769_860_800).unwrap();
        assert_eq!(time.to_string(), "2026-01-31T12:00:00Z");
        assert_eq!("2026-01-31T13:00:00.9+01:00".parse::<Timestamp>().unwrap(), time);
        assert!("2026-01-31".parse::<Timestamp>().is_err());
        assert_eq!(Timestamp(MIN).to_string(), "0000-01-01T00:00:00Z");
        assert_eq!(Timestamp(MAX).to_string(), "9999-12-30T22:00:00Z");
        assert!(Timestamp::from_unix(MAX + 1).is_none());
    }
}
