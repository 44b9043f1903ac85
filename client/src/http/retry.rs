//! When to retry a request.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::{Duration, SystemTime};

/// The number of attempts at a request.
pub(super) const MAX_ATTEMPTS: u32 = 4;
/// The first pause. Each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_millis(300);
/// The longest pause that a host may ask for. A person at a terminal waits no longer.
const MAX_PAUSE: Duration = Duration::from_secs(60);

/// The number of attempts so far.
#[derive(Default)]
pub(super) struct Retries(u32);

impl Retries {
    /// The number of the next attempt, from 1.
    pub(super) fn next_attempt(&self) -> u32 {
        self.0 + 1
    }

    /// The pause before the next attempt: as long as the host asks, or else an exponential
    /// backoff. None if there should be no further attempt.
    pub(super) fn next(&mut self, asked: Option<Duration>) -> Option<Duration> {
        self.0 += 1;
        if self.0 >= MAX_ATTEMPTS || asked.is_some_and(|asked| asked > MAX_PAUSE) {
            return None;
        }
        // Random, so that many clients do not retry at the same time. It need not be secret.
        let random = RandomState::new().build_hasher().finish();
        Some(asked.unwrap_or_else(|| backoff(self.0, random)))
    }
}

/// 0.3 s before the second attempt, then twice as long each time, ±25 %.
fn backoff(attempt: u32, random: u64) -> Duration {
    let whole = FIRST_PAUSE.saturating_mul(1 << attempt.saturating_sub(1).min(8));
    whole * 3 / 4 + whole.mul_f64((random % 1000) as f64 / 2000.0)
}

/// Parses `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date relative to `now`.
pub(super) fn retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows means never.
        return Some(Duration::from_secs(text.parse().unwrap_or(u64::MAX)));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_and_end_after_four_attempts() {
        let mut retries = Retries::default();
        let pauses: Vec<_> = std::iter::from_fn(|| retries.next(None)).collect();
        assert_eq!(pauses.len(), 3);
        for (pause, whole) in pauses.iter().zip([300, 600, 1200]) {
            let whole = Duration::from_millis(whole);
            assert!((whole * 3 / 4..=whole * 5 / 4).contains(pause), "{pauses:?}");
        }
        assert_eq!(backoff(1, 0), Duration::from_millis(225));
        assert!(backoff(1, 999) > Duration::from_millis(370));
    }

    #[test]
    fn pause_follows_the_host_up_to_a_minute() {
        let mut retries = Retries::default();
        assert_eq!(retries.next(Some(Duration::ZERO)), Some(Duration::ZERO));
        assert_eq!(retries.next(Some(MAX_PAUSE)), Some(MAX_PAUSE));
        assert_eq!(retries.next(Some(MAX_PAUSE + Duration::from_secs(1))), None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777);
        let seconds = |text| retry_after(text, now).map(|time| time.as_secs());
        for (text, expected) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:49:47 GMT", Some(10)),
            ("Sun, 06 Nov 1994 08:49:07 GMT", Some(0)),
            ("Sunday, 06-Nov-94 08:49:47 GMT", Some(10)),
            ("Sun Nov  6 08:49:47 1994", Some(10)),
            ("", None),
            ("-1", None),
            ("1.5", None),
            ("soon", None),
        ] {
            assert_eq!(seconds(text), expected, "{text}");
        }
    }
}
