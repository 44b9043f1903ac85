//! Bounds on all uploads together: on their number, and on their memory.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{Stream, StreamExt};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::body::{Body, BodyError};
use crate::problem::Problem;

/// What a permit stands for: the semaphore counts no further than 2^29 on
/// small machines, so it doesn't count bytes.
const UNIT: usize = 1024;

/// How many uploads there may be at once, and the memory that they may hold,
/// shared by all requests.
///
/// Memory is taken as bytes arrive, not as they are announced: announcing is
/// free.
#[derive(Debug, Clone)]
pub struct UploadBudget {
    memory: Arc<Semaphore>,
    places: Arc<Semaphore>,
}

impl UploadBudget {
    /// A budget of `bytes`, rounded down to KiB, for at most `uploads` at once.
    pub fn new(bytes: usize, uploads: usize) -> Self {
        let semaphore = |permits: usize| Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)));
        Self { memory: semaphore(bytes / UNIT), places: semaphore(uploads) }
    }

    /// Bytes that nobody holds.
    pub fn free(&self) -> usize {
        self.memory.available_permits() * UNIT
    }

    /// A place for one more upload, which holds no memory yet.
    pub(super) fn hold(&self) -> Result<Held, Stop> {
        let place = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Stop::Busy)?;
        Ok(Held { memory: Arc::clone(&self.memory), _place: place, permit: None, bytes: 0 })
    }
}

/// A part of the budget; given back when dropped.
#[derive(Debug)]
pub(super) struct Held {
    memory: Arc<Semaphore>,
    _place: OwnedSemaphorePermit,
    permit: Option<OwnedSemaphorePermit>,
    bytes: usize,
}

impl Held {
    fn add(&mut self, bytes: usize) -> Result<(), Stop> {
        self.bytes += bytes;
        let held = self.permit.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let more = u32::try_from(self.bytes.div_ceil(UNIT).saturating_sub(held)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.memory).try_acquire_many_owned(more).map_err(|_| Stop::Busy)?;
        match &mut self.permit {
            Some(held) => held.merge(permit),
            none => *none = Some(permit),
        }
        Ok(())
    }
}

/// Why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
pub(super) enum Stop {
    #[error(transparent)]
    Body(#[from] BodyError),
    #[error("over the limit of {0} bytes")]
    TooLarge(usize),
    #[error("too much between two parts")]
    Framing,
    #[error("no place or memory left for uploads")]
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
            Stop::Busy => Self::unavailable(
                "There is no room for another upload just now: try again in a moment.",
                Duration::from_secs(5),
            ),
        }
    }
}

/// Bytes that may be read while the next part's header is looked for. multer
/// searches all it holds again with each piece, so without a bound a form that
/// has no boundary costs the square of its size.
pub(super) const FRAMING: usize = 256 << 10;

/// How much has been read since the last part began.
#[derive(Debug, Clone, Default)]
pub(super) struct Framing(Arc<AtomicUsize>);

impl Framing {
    /// Counts from zero.
    pub(super) fn start(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts no more until the next start.
    pub(super) fn stop(&self) {
        self.0.store(usize::MAX, Ordering::Relaxed);
    }

    fn add(&self, bytes: usize) -> Result<(), Stop> {
        let so_far = self.0.load(Ordering::Relaxed);
        if so_far == usize::MAX {
            return Ok(());
        }
        self.0.store(so_far + bytes, Ordering::Relaxed);
        if so_far > FRAMING { Err(Stop::Framing) } else { Ok(()) }
    }
}

/// A body that pays for its bytes.
pub(super) struct Paid<'b> {
    body: &'b mut Body,
    pub(super) held: Held,
    framing: Framing,
    limit: usize,
    breathe: bool,
    /// Why it ended early. multer hides the cause of a failed read.
    pub(super) stop: Option<Stop>,
}

impl<'b> Paid<'b> {
    pub(super) fn new(body: &'b mut Body, held: Held, framing: Framing, limit: usize) -> Self {
        Self { body, held, framing, limit, breathe: false, stop: None }
    }

    fn pay(&mut self, piece: &Bytes) -> Result<(), Stop> {
        self.held.add(piece.len())?;
        self.framing.add(piece.len())?;
        if self.held.bytes > self.limit { Err(Stop::TooLarge(self.limit)) } else { Ok(()) }
    }
}

/// Said to multer when the stream has stopped; [`Paid::stop`] has the cause.
#[derive(Debug, thiserror::Error)]
#[error("the body was not read to its end")]
pub(super) struct Stopped;

impl Stream for Paid<'_> {
    type Item = Result<Bytes, Stopped>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.stop.is_some() {
            return Poll::Ready(Some(Err(Stopped)));
        }
        // multer reads until it has to wait. One piece at a time keeps its
        // buffer at one piece.
        if std::mem::take(&mut this.breathe) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let Poll::Ready(next) = this.body.poll_next_unpin(cx) else { return Poll::Pending };
        let Some(piece) = next else { return Poll::Ready(None) };
        this.breathe = true;
        let paid = piece.map_err(Stop::from).and_then(|piece| this.pay(&piece).map(|()| piece));
        Poll::Ready(Some(paid.map_err(|stop| {
            this.stop = Some(stop);
            Stopped
        })))
    }
}
