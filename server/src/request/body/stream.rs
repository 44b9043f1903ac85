//! A request body with a minimum speed.

use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{BoxStream, Stream, StreamExt};
use parking_lot::Mutex;
use tokio::time::{Instant, Sleep};

use crate::problem::Problem;
use crate::request::http_limits::min_bytes_in;

/// A request body that gives up when the client sends too slowly.
pub struct Body {
    /// Never locked: the mutex only makes a request `Sync`, so that handlers can
    /// borrow it while they wait.
    stream: Mutex<BoxStream<'static, Result<Bytes, warp::Error>>>,
    span_length: Duration,
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
    /// A body that has to bring [`MIN_PACE`](crate::request::http_limits::MIN_PACE) on average in each
    /// span of `span_length` while it is being read.
    pub fn new(
        stream: impl Stream<Item = Result<Bytes, warp::Error>> + Send + 'static,
        span_length: Duration,
    ) -> Self {
        Self { stream: Mutex::new(stream.boxed()), span_length, span: None, arrived: 0 }
    }

    /// A body in memory.
    pub fn whole(bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self::new(futures_util::stream::once(async { Ok(bytes) }), Duration::MAX)
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
        let length = this.span_length;
        let span = this.span.get_or_insert_with(|| Box::pin(tokio::time::sleep(length)));
        while span.as_mut().poll(cx).is_ready() {
            if this.arrived < min_bytes_in(length) {
                return Poll::Ready(Some(Err(BodyError::TooSlow)));
            }
            this.arrived = 0;
            span.as_mut().reset(Instant::now() + length);
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
        // A piece each second.
        let every_second = |piece: &'static [u8]| {
            stream::unfold(0, move |n| async move {
                tokio::time::sleep(Duration::from_secs(1)).await;
                (n < 200).then_some((Ok(Bytes::from_static(piece)), n + 1))
            })
        };
        let span = Duration::from_secs(30);
        let steady: Vec<_> = Body::new(every_second(&[b'x'; 1200]), span).collect().await;
        assert!(steady.len() == 200 && steady.iter().all(Result::is_ok), "a line of 9,600 bit/s");
        let mut trickling = Body::new(every_second(&[b'x'; 900]), span);
        let error = loop {
            if let Some(Err(error)) = trickling.next().await {
                break error;
            }
        };
        assert!(matches!(error, BodyError::TooSlow));
    }
}
