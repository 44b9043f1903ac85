//! A connection that ends stalled writes and delivers its last response.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

use crate::connection::open_connections::Activity;

/// The most bytes that are discarded before a close.
const MAX_LINGER_BYTES: usize = 64 << 20;
/// The most time that discarding them takes.
const LINGER_TIMEOUT: Duration = Duration::from_secs(2);

/// A TCP stream (or, in tests, another) with two features that hyper lacks.
///
/// Writing: a client that reads too slowly is disconnected. Otherwise it could hold
/// a connection, a file and its buffers without end.
///
/// Closing: first discards what the client is still sending, for a short time.
/// Closing a socket with unread bytes resets it, and the client might never read
/// its 413 (RFC 9112, section 9.6).
pub(super) struct StallGuard<S> {
    stream: S,
    stall: Duration,
    min_bytes: usize,
    activity: Arc<Activity>,
    /// Ends the current span, which began with a write that had to wait.
    span: Option<Pin<Box<Sleep>>>,
    /// Bytes written since then.
    taken: usize,
    linger: Option<Linger>,
}

struct Linger {
    until: Pin<Box<Sleep>>,
    left: usize,
}

impl<S> StallGuard<S> {
    /// Requires the client to read `min_bytes` bytes in each span of `stall` once a write
    /// has to wait.
    pub(super) fn new(stream: S, stall: Duration, min_bytes: usize, activity: Arc<Activity>) -> Self {
        Self { stream, stall, min_bytes, activity, span: None, taken: 0, linger: None }
    }

    /// Passes a finished write on. Fails a pending one if the client has read less
    /// than `min_bytes` bytes in the span.
    fn watch(&mut self, cx: &mut Context<'_>, write: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = write {
            self.activity.transferred();
            self.taken = self.taken.saturating_add(*written.as_ref().unwrap_or(&0));
            // If the span has ended without a poll, no write was waiting at its end.
            let is_over = |span: &Pin<Box<Sleep>>| span.deadline() <= Instant::now();
            if self.taken >= self.min_bytes || self.span.as_ref().is_some_and(is_over) {
                self.span = None;
            }
            return Poll::Ready(written);
        }
        let stall = self.stall;
        let taken = &mut self.taken;
        let span = self.span.get_or_insert_with(|| {
            *taken = 0;
            Box::pin(tokio::time::sleep(stall))
        });
        ready!(span.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client reads too slowly")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = Pin::new(&mut self.stream).poll_read(cx, buf);
        if read.is_ready() {
            self.activity.transferred();
        }
        read
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for StallGuard<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &[u8]) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write(cx, buf);
        self.watch(cx, write)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let write = Pin::new(&mut self.stream).poll_write_vectored(cx, bufs);
        self.watch(cx, write)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
        }
        let linger = this.linger.get_or_insert_with(|| Linger {
            until: Box::pin(tokio::time::sleep_until(Instant::now() + LINGER_TIMEOUT)),
            left: MAX_LINGER_BYTES,
        });
        let mut waste = [0; 8 << 10];
        while linger.left > 0 && linger.until.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut waste);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => {
                    linger.left = linger.left.saturating_sub(buf.filled().len())
                }
                // The end or a failure: the client sends nothing more.
                Ok(()) | Err(_) => break,
            }
        }
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// Writes a kilobyte to a client that reads ten bytes every ten seconds and has to
    /// read `min_bytes` bytes in 30.
    async fn write_slowly(min_bytes: usize) -> io::Result<()> {
        let (server, mut client) = duplex(10);
        let reading = async move {
            for _ in 0..100 {
                tokio::time::sleep(Duration::from_secs(10)).await;
                client.read_exact(&mut [0; 10]).await?;
            }
            // The connection stays open.
            std::future::pending::<io::Result<()>>().await
        };
        let mut guard = StallGuard::new(server, Duration::from_secs(30), min_bytes, Arc::default());
        tokio::select! {
            written = guard.write_all(&[0; 1000]) => written,
            read = reading => read,
        }
    }

    // tokio's time is paused: it jumps to the next timer when nothing runs.
    #[tokio::test(start_paused = true)]
    async fn client_below_the_pace_is_disconnected() {
        write_slowly(20).await.unwrap();
        assert_eq!(write_slowly(100).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn pause_between_responses_is_not_a_stall() {
        let (server, mut client) = duplex(10);
        let mut guard = StallGuard::new(server, Duration::from_secs(30), 100, Arc::default());
        for _ in 0..20 {
            let mut taken = [0; 15];
            let (written, read) = tokio::join!(guard.write_all(&[0; 15]), client.read_exact(&mut taken));
            assert!(written.is_ok() && read.is_ok(), "{written:?} {read:?}");
            tokio::time::sleep(Duration::from_secs(100)).await;
        }
    }
}
