//! What was read of an issuer, for as long as it is good.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use registry::time::Timestamp;

use super::Refusal;

/// How long a description and keys are used without asking again.
pub(super) const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// How long they are used if the issuer cannot be asked again.
const MAX_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// How long one request waits for another one that asks the issuer.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long an issuer that did not answer is not asked again, so that its callers do not wait in turn.
const MIN_RETRY: Duration = Duration::from_secs(5);

/// What was read of an issuer. The lock is held while it is asked, so that it is asked once.
#[derive(Debug)]
pub(super) struct Kept<T>(Mutex<Reading<T>>);

#[derive(Debug)]
struct Reading<T> {
    value: Option<(Timestamp, T)>,
    /// The last failure, if it is later than the value.
    failure: Option<(Timestamp, Refusal)>,
}

impl<T: Clone> Kept<T> {
    /// Nothing was read yet.
    pub(super) fn new() -> Self {
        Self(Mutex::new(Reading { value: None, failure: None }))
    }

    /// What was read within `lifetime`, or what `read` returns now. `busy` is the refusal while another request asks.
    pub(super) fn get(
        &self,
        lifetime: Duration,
        now: Timestamp,
        busy: impl FnOnce() -> Refusal,
        read: impl FnOnce() -> Result<T, Refusal>,
    ) -> Result<T, Refusal> {
        let Some(mut kept) = self.0.try_lock_for(PATIENCE) else { return Err(busy()) };
        let is_within = |at: Timestamp, duration| now < at.plus(duration);
        match &*kept {
            Reading { value: Some((at, value)), .. } if is_within(*at, lifetime) => return Ok(value.clone()),
            Reading { failure: Some((at, why)), .. } if is_within(*at, MIN_RETRY) => return Err(why.clone()),
            _ => {}
        }
        let began = Instant::now();
        let found = read();
        // Those that waited meanwhile must not ask in turn.
        let at = now.plus(began.elapsed());
        let why = match found {
            Ok(value) => {
                *kept = Reading { value: Some((at, value.clone())), failure: None };
                return Ok(value);
            }
            Err(why) => why,
        };
        kept.failure = Some((at, why.clone()));
        match &kept.value {
            Some((at, value)) if lifetime == LIFETIME && is_within(*at, MAX_AGE) => Ok(value.clone()),
            _ => Err(why),
        }
    }
}
