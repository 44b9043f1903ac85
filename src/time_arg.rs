//! A time as people write it on the command line.

use std::str::FromStr;

use registry::time::Timestamp;

use crate::time_arg::duration;

/// A time: `2026-01-31`, `2026-01-31T12:00:00Z`, or a span such as `7d`, which
/// is so long ago.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeArg(pub Timestamp);

impl FromStr for TimeArg {
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

/// Reads a span of time such as `30d`.
pub fn duration(text: &str) -> Result<Duration, String> {
    let fail = || "write a number and d, h, m or s, for example 30d".to_owned();
    let unit = text.chars().last().ok_or_else(fail)?;
    let seconds = match unit {
        'd' => 86_400,
        'h' => 3600,
        'm' => 60,
        's' => 1,
        _ => return Err(fail()),
    };
    let number: u64 = text[..text.len() - unit.len_utf8()].parse().map_err(|_| fail())?;
    let total = number.checked_mul(seconds).filter(|total| *total > 0).ok_or_else(fail)?;
    Ok(Duration::from_secs(total))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_days_and_spans() {
        let at = |text: &str| text.parse::<TimeArg>().map(|TimeArg(at)| at.to_string());
        assert_eq!(at("2026-01-31").unwrap(), "2026-01-31T00:00:00Z");
        assert_eq!(at("2026-01-31T12:00:00Z").unwrap(), "2026-01-31T12:00:00Z");
        let TimeArg(week) = "7d".parse().unwrap();
        assert!((Timestamp::now().as_unix() - week.as_unix() - 7 * 86_400).abs() < 60);
        for bad in ["", "yesterday", "2026-02-31", "999999999999999d"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn spans_of_time() {
        assert_eq!(duration("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(duration("45m"), Ok(Duration::from_secs(2700)));
        for bad in ["", "d", "30", "0d", "-1d", "1w", "1é", "99999999999999999999d", "999999999999999999d"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
