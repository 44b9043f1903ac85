//! Time formats of logs.

use registry::time::Timestamp;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Parses the common log format, RFC 3339, or Unix time.
pub fn read(text: &str) -> Option<Timestamp> {
    let number = || text.parse::<f64>().ok().and_then(of_number);
    text.parse().ok().or_else(|| of_common_log(text)).or_else(number)
}

/// Parses the common log format: `31/Jan/2026:12:00:00 +0000`.
pub fn of_common_log(text: &str) -> Option<Timestamp> {
    let (when, zone) = text.split_once(' ')?;
    let mut pieces = when.splitn(3, '/');
    let (day, month, rest) = (pieces.next()?, pieces.next()?, pieces.next()?);
    let (year, clock) = rest.split_once(':')?;
    let month = MONTHS.iter().position(|name| *name == month)? + 1;
    let (hours, minutes) = zone.split_at_checked(3)?;
    format!("{year}-{month:02}-{day}T{clock}{hours}:{minutes}").parse().ok()
}

/// Unix time. Numbers too large for seconds are milliseconds, microseconds or nanoseconds.
fn of_number(number: f64) -> Option<Timestamp> {
    let size = number.abs();
    let seconds = match () {
        () if size < 1e11 => number,
        () if size < 1e14 => number / 1e3,
        () if size < 1e17 => number / 1e6,
        () => number / 1e9,
    };
    // The cast saturates, and the largest number is not a valid time.
    seconds.is_finite().then(|| Timestamp::from_unix(seconds.floor() as i64)).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_parses_every_format() {
        let noon = "2026-01-31T12:00:00Z".parse().ok();
        for text in [
            "31/Jan/2026:12:00:00 +0000",
            "31/Jan/2026:05:30:00 -0630",
            "2026-01-31T12:00:00Z",
            "2026-01-31T13:00:00.999+01:00",
            "1769860800",
            "1769860800.875",
            "1769860800875",
            "1769860800875123",
            "1769860800875123456",
        ] {
            assert_eq!(read(text), noon, "{text}");
        }
        for text in [
            "",
            "-",
            "31/Foo/2026:12:00:00 +0000",
            "31/Jan/2026:12:00:00",
            "31/Jan/2026:12:00:00 é",
            "99/Jan/2026:12:00:00 +0000",
            "31/Jan/2026:99:00:00 +0000",
            "2026-01-31",
            "1e999",
            "nan",
            "-1e300",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
