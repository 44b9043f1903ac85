//! Limits on all uploads together: their number and their memory.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{Stream, StreamExt};
use registry::fair_share::Owner;
use tokio_util::sync::{CancellationToken, WaitForCancellationFutureOwned};

use crate::problem::Problem;
use crate::request::body::{Body, BodyError};
use crate::security::shares::{Share, Shares};

/// The number of uploads at once and their memory, shared by all requests.
///
/// Memory is reserved when bytes arrive, not when they are announced: announcing
/// costs a client nothing. An upload that still arrives gives way to one of somebody who has fewer.
#[derive(Debug, Clone)]
pub struct UploadBudget {
    memory: Shares,
    slots: Shares,
}

impl UploadBudget {
    /// A budget of `bytes` for at most `uploads` at once.
    pub fn new(bytes: usize, uploads: usize) -> Self {
        let shares = |max: usize| Shares::new(max as u64, u64::MAX);
        Self { memory: shares(bytes), slots: shares(uploads) }
    }

    /// Bytes that are not reserved.
    pub fn free(&self) -> usize {
        usize::try_from(self.memory.free()).unwrap_or(usize::MAX)
    }

    /// Reserves a slot for an upload, without memory.
    pub(super) fn reserve(&self, owner: &Owner) -> Result<Reservation, Stop> {
        let revoked = CancellationToken::new();
        let take = |of: &Shares, amount| -> Result<Share, Stop> {
            let share = of.take(owner, amount).ok_or(Stop::Busy)?;
            share.set_revocable(Some(&revoked));
            Ok(share)
        };
        let (slot, memory) = (take(&self.slots, 1)?, take(&self.memory, 0)?);
        let revoked = Box::pin(revoked.cancelled_owned());
        Ok(Reservation { slot, memory, bytes: 0, revoked })
    }
}

/// A part of the budget. Dropping gives it back.
#[derive(Debug)]
pub(super) struct Reservation {
    slot: Share,
    memory: Share,
    bytes: usize,
    revoked: Pin<Box<WaitForCancellationFutureOwned>>,
}

impl Reservation {
    fn add(&mut self, bytes: usize) -> Result<(), Stop> {
        self.bytes += bytes;
        if self.memory.grow(bytes as u64) { Ok(()) } else { Err(Stop::Busy) }
    }

    /// Nobody can take it away from now on: the upload has arrived.
    pub(super) fn keep(self) -> Self {
        self.slot.set_revocable(None);
        self.memory.set_revocable(None);
        self
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
    #[error("an upload of somebody with fewer took its place")]
    GaveWay,
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
            Stop::GaveWay => Self::unavailable(
                "Too many uploads at once, and most are yours, so this one made room for somebody else's: try again, \
                 with fewer at a time.",
                Duration::from_secs(5),
            ),
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
        if this.reservation.revoked.as_mut().poll(cx).is_ready() {
            this.stop = Some(Stop::GaveWay);
            return Poll::Ready(Some(Err(Stopped)));
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
