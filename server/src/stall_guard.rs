//! A connection's bytes: no endless stall while writing, no lost last answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Unread bytes thrown away before a close, and the time for it.
const LINGER_BYTES: usize = 64 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// A TCP stream (or, in tests, another) with two manners that hyper lacks.
///
/// A client that takes too little of what is written to it is cut off after a
/// while (else it could hold a place, a file and its buffers for ever). And a
/// close waits, briefly, for what the client is still sending: closing a
/// socket with unread bytes resets it, and a reset destroys the 413 that the
/// client was about to read (RFC 9112, section 9.6).
pub(crate) struct StallGuard<S> {
    stream: S,
    stall: Duration,
    pace: usize,
    /// Ends the present span, which began with a write that had to wait.
    span: Option<Pin<Box<Sleep>>>,
    /// Bytes taken since then.
    taken: usize,
    linger: Option<Linger>,
}

struct Linger {
    until: Pin<Box<Sleep>>,
    left: usize,
}

impl<S> StallGuard<S> {
    /// A client that has to take `pace` bytes in each span of `stall`, once it made a
    /// write wait.
    pub(crate) fn new(stream: S, stall: Duration, pace: usize) -> Self {
        Self { stream, stall, pace, span: None, taken: 0, linger: None }
    }

    /// Passes a finished write on; turns a pending one into an error when too
    /// little has been taken for too long.
    fn watch(&mut self, cx: &mut Context<'_>, write: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if let Poll::Ready(written) = write {
            self.taken = self.taken.saturating_add(*written.as_ref().unwrap_or(&0));
            // At the end of a span that is over already nothing was waiting.
            let is_over = |span: &Pin<Box<Sleep>>| span.deadline() <= Instant::now();
            if self.taken >= self.pace || self.span.as_ref().is_some_and(is_over) {
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
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes too little")))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for StallGuard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
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
            until: Box::pin(tokio::time::sleep_until(Instant::now() + LINGER_TIME)),
            left: LINGER_BYTES,
        });
        let mut waste = [0; 8 << 10];
        while linger.left > 0 && linger.until.as_mut().poll(cx).is_pending() {
            let mut buf = ReadBuf::new(&mut waste);
            match ready!(Pin::new(&mut this.stream).poll_read(cx, &mut buf)) {
                Ok(()) if !buf.filled().is_empty() => {
                    linger.left = linger.left.saturating_sub(buf.filled().len())
                }
                // Its end, or its failure: either way nobody sends any more.
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

    /// What comes of a kilobyte for a client that takes ten bytes every ten seconds, and
    /// has to take so many in 30.
    async fn served(pace: usize) -> io::Result<()> {
        let (server, mut client) = duplex(10);
        let taking = async move {
            for _ in 0..100 {
                tokio::time::sleep(Duration::from_secs(10)).await;
                client.read_exact(&mut [0; 10]).await?;
            }
            // Nothing more is written, but the connection stays.
            std::future::pending::<io::Result<()>>().await
        };
        let mut wire = StallGuard::new(server, Duration::from_secs(30), pace);
        tokio::select! {
            written = wire.write_all(&[0; 1000]) => written,
            taken = taking => taken,
        }
    }

    // Time is tokio's, paused: it jumps to the next timer when nothing runs.
    #[tokio::test(start_paused = true)]
    async fn who_takes_little_is_cut_off_and_who_is_slow_is_not() {
        served(20).await.unwrap();
        assert_eq!(served(100).await.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[tokio::test(start_paused = true)]
    async fn a_pause_between_answers_is_no_stall() {
        let (server, mut client) = duplex(10);
        let mut wire = StallGuard::new(server, Duration::from_secs(30), 100);
        for _ in 0..20 {
            let mut taken = [0; 15];
            let (written, read) = tokio::join!(wire.write_all(&[0; 15]), client.read_exact(&mut taken));
            assert!(written.is_ok() && read.is_ok(), "{written:?} {read:?}");
            tokio::time::sleep(Duration::from_secs(100)).await;
        }
    }
}
