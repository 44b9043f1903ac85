//! A connection's bytes: no endless stall while writing, no lost last answer.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Instant, Sleep};

/// Unread bytes thrown away before a close, and the time for it.
const LINGER_BYTES: usize = 64 << 20;
const LINGER_TIME: Duration = Duration::from_secs(2);

/// A TCP stream with two manners that hyper lacks.
///
/// A client that takes nothing of what is written to it is cut off after a
/// while (else it could hold a place, a file and its buffers for ever). And a
/// close waits, briefly, for what the client is still sending: closing a
/// socket with unread bytes resets it, and a reset destroys the 413 that the
/// client was about to read (RFC 9112, section 9.6).
pub(crate) struct Wire {
    stream: TcpStream,
    stall: Duration,
    stalled: Option<Pin<Box<Sleep>>>,
    linger: Option<Linger>,
}

struct Linger {
    until: Pin<Box<Sleep>>,
    left: usize,
}

impl Wire {
    pub(crate) fn new(stream: TcpStream, stall: Duration) -> Self {
        Self { stream, stall, stalled: None, linger: None }
    }

    /// Passes a finished write on; turns a pending one into an error when it
    /// has been pending for too long.
    fn watch<T>(&mut self, cx: &mut Context<'_>, write: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if write.is_ready() {
            self.stalled = None;
            return write;
        }
        let stall = self.stall;
        let sleep = self.stalled.get_or_insert_with(|| Box::pin(tokio::time::sleep(stall)));
        ready!(sleep.as_mut().poll(cx));
        Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, "the client takes nothing")))
    }
}

impl AsyncRead for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
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
