//! A time as people write it on the command line.

use std::str::FromStr;

use registry::time::Timestamp;

use crate::token::duration;

/// A time: `2026-01-31`, `2026-01-31T12:00:00Z`, or a span such as `7d`, which
/// is so long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment(pub Timestamp);

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let now = Timestamp::now().as_unix();
        let ago = |span: std::time::Duration| {
            let span = i64::try_from(span.as_secs()).unwrap_or(i64::MAX);
            Timestamp::from_unix(now.saturating_sub(span))
        };
        let day = || format!("{text}T00:00:00Z").parse().ok();
        let read = text.parse().ok().or_else(day).or_else(|| duration(text).ok().and_then(ago));
        read.map(Self).ok_or_else(|| "write it as 2026-01-31, 2026-01-31T12:00:00Z or 7d".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_days_and_spans() {
        let at = |text: &str| text.parse::<Moment>().map(|Moment(at)| at.to_string());
        assert_eq!(at("2026-01-31").unwrap(), "2026-01-31T00:00:00Z");
        assert_eq!(at("2026-01-31T12:00:00Z").unwrap(), "2026-01-31T12:00:00Z");
        let Moment(week) = "7d".parse().unwrap();
        assert!((Timestamp::now().as_unix() - week.as_unix() - 7 * 86_400).abs() < 60);
        for bad in ["", "yesterday", "2026-02-31", "999999999999999d"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }
}
