//! Times as command-line arguments.

use std::str::FromStr;
use std::time::Duration;

use registry::time::Timestamp;

use crate::arguments::duration_arg::duration;

/// A time: `2026-01-31`, `2026-01-31T12:00:00Z`, or a duration before now such as `7d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeArg(pub Timestamp);

impl FromStr for TimeArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let ago = |duration: Duration| {
            let seconds = i64::try_from(duration.as_secs()).ok()?;
            Timestamp::from_unix(Timestamp::now().as_unix().saturating_sub(seconds))
        };
        let day = || format!("{text}T00:00:00Z").parse().ok();
        let time = text.parse().ok().or_else(day).or_else(|| duration(text).ok().and_then(ago));
        time.map(Self).ok_or_else(|| "expected a time like 2026-01-31, 2026-01-31T12:00:00Z or 7d".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_arg_accepts_times_days_and_durations() {
        let at = |text: &str| text.parse::<TimeArg>().map(|TimeArg(at)| at.to_string());
        assert_eq!(at("2026-01-31").unwrap(), "2026-01-31T00:00:00Z");
        assert_eq!(at("2026-01-31T12:00:00Z").unwrap(), "2026-01-31T12:00:00Z");
        let TimeArg(week) = "7d".parse().unwrap();
        assert!((Timestamp::now().as_unix() - week.as_unix() - 7 * 86_400).abs() < 60);
        for bad in ["", "yesterday", "2026-02-31", "999999999999999d"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }
}
