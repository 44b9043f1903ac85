//! Durations as command-line arguments.

use std::time::Duration;

/// Parses a duration such as `30d`. It must not be 0.
pub fn duration(text: &str) -> Result<Duration, String> {
    let parse = || {
        let number = text.strip_suffix(['d', 'h', 'm', 's'])?;
        let unit = match text.as_bytes().last()? {
            b'd' => 86_400,
            b'h' => 3600,
            b'm' => 60,
            _ => 1,
        };
        number.parse::<u64>().ok()?.checked_mul(unit).filter(|seconds| *seconds > 0)
    };
    let seconds = parse().ok_or("expected a number and d, h, m or s, like 30d")?;
    Ok(Duration::from_secs(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_needs_a_number_and_a_unit() {
        assert_eq!(duration("30d"), Ok(Duration::from_secs(30 * 86_400)));
        assert_eq!(duration("45m"), Ok(Duration::from_secs(2700)));
        for bad in ["", "d", "30", "0d", "-1d", "1w", "1é", "99999999999999999999d", "999999999999999999d"] {
            assert!(duration(bad).is_err(), "{bad}");
        }
    }
}
