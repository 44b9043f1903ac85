//! A request body with a minimum speed.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{BoxStream, Stream, StreamExt};
use parking_lot::Mutex;
use tokio::time::{Instant, Sleep};

use crate::problem::Problem;

/// A request body that gives up when the client sends too slowly.
pub struct Body {
    /// Never locked: the mutex only makes a request `Sync`, so that handlers can
    /// borrow it while they wait.
    stream: Mutex<BoxStream<'static, Result<Bytes, warp::Error>>>,
    idle: Duration,
    min_bytes: usize,
    /// Ends the current span. Created at the first wait: most bodies never wait.
    span: Option<Pin<Box<Sleep>>>,
    arrived: usize,
}

/// Why a body was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum BodyError {
    /// The connection broke, or the framing is invalid.
    #[error("the request body is incomplete")]
    Broken(#[from] warp::Error),
    /// Fewer bytes arrived in a span of time than the limits require.
    #[error("the request body arrived too slowly")]
    TooSlow,
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Self {
        match error {
            BodyError::Broken(_) => {
                Self::invalid("The request body is incomplete, or its framing is invalid: send it again.")
            }
            BodyError::TooSlow => {
                Self::invalid("The request body arrived too slowly: send it again, faster.")
            }
        }
    }
}

impl Body {
    /// A body of which `min_bytes` bytes have to arrive in each span of `idle` while it is
    /// being read.
    pub fn new(
        stream: impl Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
        idle: Duration,
        min_bytes: usize,
    ) -> Self {
        Self { stream: Mutex::new(stream.boxed()), idle, min_bytes, span: None, arrived: 0 }
    }

    /// Requires at least `min_bytes` bytes in each span.
    pub fn require_min_bytes(&mut self, min_bytes: usize) {
        self.min_bytes = self.min_bytes.max(min_bytes);
    }

    /// A body in memory.
    pub fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self::new(futures_util::stream::once(async { Ok(bytes) }), Duration::MAX, 0)
    }
}

impl Stream for Body {
    type Item = Result<Bytes, BodyError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if let Poll::Ready(next) = this.stream.get_mut().poll_next_unpin(cx) {
            if let Some(Ok(piece)) = &next {
                this.arrived = this.arrived.saturating_add(piece.len());
            }
            return Poll::Ready(next.map(|item| item.map_err(BodyError::from)));
        }
        let idle = this.idle;
        let span = this.span.get_or_insert_with(|| Box::pin(tokio::time::sleep(idle)));
        while span.as_mut().poll(cx).is_ready() {
            if this.arrived < this.min_bytes {
                return Poll::Ready(Some(Err(BodyError::TooSlow)));
            }
            this.arrived = 0;
            span.as_mut().reset(Instant::now() + idle);
        }
        Poll::Pending
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::stream;

    // tokio's time is paused: it jumps to the next timer when nothing runs.
    #[tokio::test(start_paused = true)]
    async fn body_below_the_pace_is_too_slow() {
        let every = |pause, piece: &'static str| {
            stream::unfold(0, move |n| async move {
                tokio::time::sleep(Duration::from_secs(pause)).await;
                (n < 20).then_some((Ok(Bytes::from_static(piece.as_bytes())), n + 1))
            })
        };
        let idle = Duration::from_secs(30);
        let steady: Vec<_> = Body::new(every(10, "0123456789"), idle, 20).collect().await;
        assert!(steady.len() == 20 && steady.iter().all(Result::is_ok));
        let mut trickling = Body::new(every(10, "0"), idle, 20);
        let error = loop {
            if let Some(Err(error)) = trickling.next().await {
                break error;
            }
        };
        assert!(matches!(error, BodyError::TooSlow));
    }
}
