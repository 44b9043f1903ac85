//! What the edge bears from a client before it says no.

use std::time::Duration;

use crate::client_address::TrustedProxies;

/// hyper refuses smaller buffers by panicking.
pub const MIN_HEADER_BYTES: usize = 8192;

/// The bounds of the HTTP edge. Every one of them holds before a credential is
/// looked at, so nobody is above them.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// From the first wait for a request's header to its end; also how long an
    /// idle keep-alive connection stays open. 10 s.
    pub header_timeout: Duration,
    /// The span in which [`pace`](Self::pace) bytes of a request body
    /// must arrive, else the request is refused and the connection closed. 30 s.
    pub body_idle: Duration,
    /// The same of an answer that waits for the client to take it. 30 s.
    pub write_stall: Duration,
    /// Bytes that must go in each such span, either way. One byte in 29 s is an
    /// attack, not a slow line. 4 KiB.
    pub pace: usize,
    /// Connections open at once; further ones wait in the kernel's queue. 1024.
    pub connections: usize,
    /// Bytes of a request's line and header after which no more are read (the last read
    /// may bring as many again); at least [`MIN_HEADER_BYTES`], lower values are raised
    /// to it. 16 KiB.
    pub header_bytes: usize,
    /// How long running requests may take to finish once a shutdown was asked
    /// for; then their connections are dropped. 10 s.
    pub shutdown: Duration,
    /// Bytes of a JSON body. 64 KiB.
    pub json: usize,
    /// Bytes of an uploaded zip, multipart framing not counted. 50 MiB.
    pub zip: usize,
    /// Multipart bodies that arrive or wait at once. 64.
    pub uploads: usize,
    /// Bytes of all multipart bodies held in memory at once. 512 MiB.
    pub uploads_total: usize,
    /// Whose word is taken for where a request comes from. Nobody's.
    pub trusted_proxies: TrustedProxies,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(10),
            body_idle: Duration::from_secs(30),
            write_stall: Duration::from_secs(30),
            pace: 4 << 10,
            connections: 1024,
            header_bytes: 16 << 10,
            shutdown: Duration::from_secs(10),
            json: 64 << 10,
            zip: 50 << 20,
            uploads: 64,
            uploads_total: 512 << 20,
            trusted_proxies: TrustedProxies::default(),
        }
    }
}
