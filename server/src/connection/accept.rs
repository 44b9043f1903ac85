//! Accepts connections, limits them, and ends them.
//!
//! `warp::serve` is not used, because it sets no timer (a half-sent header would keep
//! a connection open), no limit on connections and no timeout for a shutdown.
//!
//! Only HTTP/1: browsers do not speak HTTP/2 without TLS, and proxies speak HTTP/1 to
//! their backends. A stalled HTTP/2 stream would hold its response for as long as its
//! connection answers pings.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use hyper::body::{Body, Incoming};
use hyper::server::conn::http1::Builder;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::task::JoinSet;

use crate::connection::open_connections::{NoPlace, OpenConnections, Place};
use crate::connection::stall_guard::StallGuard;
use crate::request::Arrival;
use crate::request::http_limits::{HttpLimits, MIN_HEADER_BYTES, min_bytes_in};

/// Listens on `address`.
///
/// Errors: the operating system refuses the address: it is in use, of another machine, or
/// not allowed.
pub fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Otherwise a restart fails while old connections are in TIME_WAIT.
    socket.set_reuseaddr(true)?;
    // Accepted sockets inherit it. Without it the second chunk of a streamed body
    // waits for a delayed acknowledgement.
    socket.set_nodelay(true)?;
    socket.bind(address)?;
    socket.listen(1024)
}

/// Serves connections until `shutdown` is ready. Then accepts no more, lets running
/// requests finish within `limits.shutdown_timeout`, and drops the others.
///
/// An error of `accept` never ends the loop.
pub(super) async fn run<S, B>(
    listener: TcpListener,
    service: S,
    limits: &HttpLimits,
    open: Arc<OpenConnections>,
    shutdown: impl Future<Output = ()>,
) where
    S: Service<hyper::Request<Incoming>, Response = hyper::Response<B>, Error = Infallible>
        + Clone
        + Send
        + 'static,
    S::Future: Send + 'static,
    B: Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn Error + Send + Sync>>,
{
    let builder = Arc::new(builder(limits));
    let graceful = GracefulShutdown::new();
    let mut tasks = JoinSet::new();
    let mut shutdown = pin!(shutdown);
    // Rate limits of unknown clients are stored under these numbers, across restarts
    // and processes, so every process starts at a random one.
    let mut number = getrandom::u64().unwrap_or_default();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            // Takes the results of finished connections out of the set.
            Some(_) = tasks.join_next() => continue,
            () = &mut shutdown => break,
        };
        match accepted {
            Ok((stream, peer)) => {
                number = number.wrapping_add(1);
                let client = limits.trusted_proxies.client_of_connection(peer.ip(), number);
                let place = tokio::select! {
                    place = open.place(number, client) => place,
                    () = &mut shutdown => break,
                };
                if place.as_ref().is_err_and(|why| *why == NoPlace::OfClient) {
                    tracing::debug!(%peer, "closing a connection: this client has too many busy ones");
                    continue;
                }
                let connection = Connection {
                    builder: builder.clone(),
                    watcher: graceful.watcher(),
                    write_timeout: limits.write_timeout,
                    min_bytes: min_bytes_in(limits.write_timeout),
                };
                let (open, service, patience) = (Arc::clone(&open), service.clone(), limits.header_timeout);
                tasks.spawn(async move {
                    let place = match place {
                        Ok(place) => Some(place),
                        Err(_) => open.place_in_line(number, client, patience).await,
                    };
                    match place {
                        Some(place) => connection.serve(place, stream, peer, service).await,
                        None => tracing::debug!(%peer, "closing a connection: its network has too many"),
                    }
                });
            }
            Err(error) => {
                tracing::warn!(%error, "cannot accept a connection");
                if let Some(pause) = pause_after(&error) {
                    tokio::select! { () = tokio::time::sleep(pause) => {}, () = &mut shutdown => break }
                }
            }
        }
    }
    drop(listener);
    if tokio::time::timeout(limits.shutdown_timeout, graceful.shutdown()).await.is_err() {
        tracing::warn!(connections = tasks.len(), "dropping connections that did not finish in time");
    }
    tasks.shutdown().await;
}

fn builder(limits: &HttpLimits) -> Builder {
    let mut builder = Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        .max_buf_size(limits.header_bytes.max(MIN_HEADER_BYTES));
    builder
}

/// The pause after an error of `accept`. Errors of one connection, for example an
/// abort, need none. Others (EMFILE, ENFILE, ENOMEM) last, and the loop would spin.
fn pause_after(error: &io::Error) -> Option<Duration> {
    use io::ErrorKind as K;
    let of_one_connection = matches!(
        error.kind(),
        K::ConnectionAborted | K::ConnectionReset | K::ConnectionRefused | K::Interrupted
    );
    (!of_one_connection).then_some(Duration::from_millis(100))
}

struct Connection {
    builder: Arc<Builder>,
    watcher: Watcher,
    write_timeout: Duration,
    min_bytes: usize,
}

impl Connection {
    async fn serve<S, B>(self, place: Place, stream: TcpStream, peer: SocketAddr, service: S)
    where
        S: Service<hyper::Request<Incoming>, Response = hyper::Response<B>, Error = Infallible>,
        S::Future: Send + 'static,
        B: Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        let (activity, connection) = (Arc::clone(&place.activity), place.link());
        let service = service_fn(move |mut request: hyper::Request<Incoming>| {
            let (target, connection) = (request.uri().clone(), connection.clone());
            request.extensions_mut().insert(Arrival { peer, connection, target });
            let (response, in_work) = (service.call(request), activity.request());
            async move {
                let response = response.await;
                drop(in_work);
                response
            }
        });
        let activity = Arc::clone(&place.activity);
        let io = TokioIo::new(StallGuard::new(stream, self.write_timeout, self.min_bytes, activity));
        let connection = self.watcher.watch(self.builder.serve_connection(io, service));
        tokio::select! {
            ended = connection => if let Err(error) = ended {
                tracing::debug!(%peer, %error, "connection ended");
            },
            () = place.activity.close.cancelled() => tracing::debug!(%peer, "closed a connection for another client"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lasting_error_pauses_the_loop() {
        assert_eq!(pause_after(&io::Error::from(io::ErrorKind::ConnectionAborted)), None);
        let too_many_open_files = io::Error::from_raw_os_error(24);
        assert!(pause_after(&too_many_open_files).is_some());
    }
}
