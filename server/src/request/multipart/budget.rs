//! Limits on all uploads together: their number and their memory.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{Stream, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::problem::Problem;
use crate::request::body::{Body, BodyError};

/// The bytes of a permit. The semaphore counts to 2^29 on 32-bit machines, which is
/// too little for bytes.
const PERMIT_BYTES: usize = 1024;

/// The number of uploads at once and their memory, shared by all requests.
///
/// Memory is reserved when bytes arrive, not when they are announced: announcing
/// costs a client nothing.
#[derive(Debug, Clone)]
pub struct UploadBudget {
    memory: Arc<Semaphore>,
    slots: Arc<Semaphore>,
}

impl UploadBudget {
    /// A budget of `bytes`, rounded down to KiB, for at most `uploads` at once.
    pub fn new(bytes: usize, uploads: usize) -> Self {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        Self { memory: semaphore(bytes / PERMIT_BYTES), slots: semaphore(uploads) }
    }

    /// Bytes that are not reserved.
    pub fn free(&self) -> usize {
        self.memory.available_permits() * PERMIT_BYTES
    }

    /// Reserves a slot for an upload, without memory.
    pub(super) fn reserve(&self) -> Result<Reservation, Stop> {
        let reserve = |of: &Arc<Semaphore>, permits| {
            Arc::clone(of).try_acquire_many_owned(permits).map_err(|_| Stop::Busy)
        };
        Ok(Reservation { _slot: reserve(&self.slots, 1)?, memory: reserve(&self.memory, 0)?, bytes: 0 })
    }
}

/// A part of the budget. Dropping gives it back.
#[derive(Debug)]
pub(super) struct Reservation {
    _slot: OwnedSemaphorePermit,
    memory: OwnedSemaphorePermit,
    bytes: usize,
}

impl Reservation {
    fn add(&mut self, bytes: usize) -> Result<(), Stop> {
        self.bytes += bytes;
        let more = self.bytes.div_ceil(PERMIT_BYTES).saturating_sub(self.memory.num_permits());
        let more = u32::try_from(more).unwrap_or(u32::MAX);
        let budget = Arc::clone(self.memory.semaphore());
        self.memory.merge(budget.try_acquire_many_owned(more).map_err(|_| Stop::Busy)?);
        Ok(())
    }
}

/// Why the form was not read to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error("over the limit of {0} bytes")]
    TooLarge(usize),
    #[error("too many bytes between two parts")]
    Framing,
    #[error("no slot or memory left for uploads")]
    Busy,
}

impl From<Stop> for Problem {
    fn from(stop: Stop) -> Self {
        match stop {
            Stop::Body(error) => error.into(),
            Stop::TooLarge(limit) => {
                Self::too_large(format!("A form may have at most {limit} bytes in all."))
            }
            Stop::Framing => {
                Self::invalid("The header of a part of the form is too long, or the form has no parts.")
            }
            Stop::Busy => {
                Self::unavailable("Too many uploads at once: try again in a moment.", Duration::from_secs(5))
            }
        }
    }
}

/// The most bytes before the header of the next part. multer searches its whole
/// buffer again for each chunk, so without a limit the time for a form without a
/// boundary grows with the square of its size.
const MAX_FRAMING_BYTES: usize = 256 << 10;

/// Counts the bytes since the last part.
#[derive(Debug, Clone, Default)]
pub(super) struct Framing(Arc<AtomicUsize>);

impl Framing {
    /// Counts from 0.
    pub(super) fn start(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Stops counting until the next start.
    pub(super) fn stop(&self) {
        self.0.store(usize::MAX, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) -> Result<(), Stop> {
        let so_far = self.0.load(Ordering::Relaxed);
        if so_far == usize::MAX {
            return Ok(());
        }
        self.0.store(so_far + bytes, Ordering::Relaxed);
        if so_far > MAX_FRAMING_BYTES { Err(Stop::Framing) } else { Ok(()) }
    }
}

/// A body that reserves memory for its bytes.
pub(super) struct BudgetedBody<'b> {
    body: &'b mut Body,
    pub(super) reservation: Reservation,
    framing: Framing,
    limit: usize,
    is_pausing: bool,
    /// Why reading stopped. multer hides the cause of a failed read.
    pub(super) stop: Option<Stop>,
}

impl<'b> BudgetedBody<'b> {
    pub(super) fn new(body: &'b mut Body, reservation: Reservation, framing: Framing, limit: usize) -> Self {
        Self { body, reservation, framing, limit, is_pausing: false, stop: None }
    }

    fn reserve(&mut self, piece: &Bytes) -> Result<(), Stop> {
        self.reservation.add(piece.len())?;
        self.framing.add(piece.len())?;
        if self.reservation.bytes > self.limit { Err(Stop::TooLarge(self.limit)) } else { Ok(()) }
    }
}

/// The error for multer; [`BudgetedBody::stop`] has the cause.
#[derive(Debug, thiserror::Error)]
#[error("the body was not read to its end")]
pub(super) struct Stopped;

impl Stream for BudgetedBody<'_> {
    type Item = Result<Bytes, Stopped>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.stop.is_some() {
            return Poll::Ready(Some(Err(Stopped)));
        }
        // multer reads until it has to wait. Pausing after each chunk keeps its
        // buffer at one chunk.
        if std::mem::take(&mut this.is_pausing) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Poll::Ready(next) = this.body.poll_next_unpin(cx) else { return Poll::Pending };
        let Some(piece) = next else { return Poll::Ready(None) };
        this.is_pausing = true;
        let chunk = piece.map_err(Stop::from).and_then(|piece| this.reserve(&piece).map(|()| piece));
        Poll::Ready(Some(chunk.map_err(|stop| {
            this.stop = Some(stop);
            Stopped
        })))
    }
}
