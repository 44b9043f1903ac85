//! How often one credential may write.

use std::num::NonZeroU32;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use registry::public::Id;

use crate::problem::Problem;

/// How many credentials are remembered before those that have been quiet for
/// long enough are forgotten.
const MOST_KEYS: usize = 10_000;

/// A limit on writes for each credential: so many a minute, which may come at
/// once (GCRA, the leaky bucket as a meter).
pub struct WriteRate {
    limiter: DefaultKeyedRateLimiter<Id>,
    clock: DefaultClock,
}

impl WriteRate {
    /// At most `per_minute` writes a minute for each credential.
    pub fn new(per_minute: NonZeroU32) -> Self {
        let limiter = RateLimiter::keyed(Quota::per_minute(per_minute));
        Self { limiter, clock: DefaultClock::default() }
    }

    /// Counts a write. The error is 429 and says when to try again.
    pub fn count(&self, credential: Id) -> Result<(), Problem> {
        if self.limiter.len() > MOST_KEYS {
            self.limiter.retain_recent();
        }
        self.limiter.check_key(&credential).map_err(|early| {
            let wait = early.wait_time_from(self.clock.now());
            Problem::rate_limited(
                "This credential writes too often: wait as long as `Retry-After` says.",
                wait,
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Code;

    #[test]
    fn each_credential_has_its_own_limit() {
        let rate = WriteRate::new(NonZeroU32::new(3).unwrap());
        for _ in 0..3 {
            rate.count(Id(1)).unwrap();
        }
        assert_eq!(rate.count(Id(1)).unwrap_err().code(), Code::RateLimited);
        rate.count(Id(2)).unwrap();
    }
}
