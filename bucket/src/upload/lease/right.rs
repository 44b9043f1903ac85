//! Until when this process may write.

use std::time::{Duration, Instant, SystemTime};

use tokio::sync::watch;

use crate::upload::UploadError;

/// How long a renewal gives the right to write.
pub const LASTS: Duration = Duration::from_secs(5);

/// A point in time, by two clocks.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    clock: Instant,
    wall: SystemTime,
}

impl Moment {
    /// Now.
    pub fn now() -> Self {
        Self { clock: Instant::now(), wall: SystemTime::now() }
    }

    /// The longer of two durations. The first clock stands still while the machine sleeps, and the second
    /// one may be set back.
    fn elapsed(&self) -> Duration {
        self.clock.elapsed().max(self.wall.elapsed().unwrap_or_default())
    }

    fn has_ended(&self) -> bool {
        self.elapsed() >= LASTS
    }
}

/// The right to write to a bucket. Once it has ended, it does not come back.
#[derive(Debug, Clone)]
pub struct Right(Option<watch::Receiver<Option<Moment>>>);

impl Right {
    /// The right of a server that is alone.
    pub fn always() -> Self {
        Self(None)
    }

    /// No right.
    pub fn none() -> Self {
        Self(Some(watch::channel(None).1))
    }

    /// A right that begins with a request sent at `begun`, and what extends or ends it.
    pub fn since(begun: Moment) -> (watch::Sender<Option<Moment>>, Self) {
        let (since, right) = watch::channel(Some(begun));
        (since, Self(Some(right)))
    }

    /// Whether it lasts.
    pub fn is_valid(&self) -> bool {
        self.0.as_ref().is_none_or(|since| !ended(*since.borrow()))
    }

    /// Whether a right has ended.
    pub fn has_ended(since: &watch::Sender<Option<Moment>>) -> bool {
        ended(*since.borrow())
    }

    /// Refuses if the right has ended.
    pub fn check(&self) -> Result<(), UploadError> {
        if self.is_valid() { Ok(()) } else { Err(UploadError::LeaseLost) }
    }

    /// Sends a request only while the right lasts, and cuts it off when that ends.
    pub async fn guard<T>(
        &self,
        request: impl Future<Output = Result<T, UploadError>>,
    ) -> Result<T, UploadError> {
        self.check()?;
        tokio::select! {
            biased;
            () = self.ended() => Err(UploadError::LeaseLost),
            done = request => done,
        }
    }

    async fn ended(&self) {
        let Some(mut since) = self.0.clone() else { return std::future::pending().await };
        loop {
            let Some(begun) = since.borrow_and_update().filter(|begun| !begun.has_ended()) else { return };
            let rest = LASTS.saturating_sub(begun.elapsed());
            tokio::select! {
                () = tokio::time::sleep(rest) => {}
                // Without a sender nothing extends it.
                Ok(()) = since.changed() => {}
            }
        }
    }
}

/// Extends a right by a renewal that was sent at `begun` and is answered now. Returns false if the right
/// has ended before.
pub fn extend(since: &watch::Sender<Option<Moment>>, begun: Moment) -> bool {
    since.send_if_modified(|since| {
        *since = since.filter(|before| !before.has_ended()).map(|_| begun);
        since.is_some()
    })
}

fn ended(since: Option<Moment>) -> bool {
    since.is_none_or(|begun| begun.has_ended())
}

#[cfg(test)]
impl Moment {
    /// Earlier by `time`.
    pub fn before(self, time: Duration) -> Self {
        let clock = self.clock.checked_sub(time).unwrap_or(self.clock);
        Self { clock, wall: self.wall - time }
    }
}
