//! What the edge bears from a client before it says no.

use std::time::Duration;

use crate::client_address::TrustedProxies;

/// The bounds of the HTTP edge. Every one of them holds before a credential is
/// looked at, so nobody is above them.
#[derive(Debug, Clone)]
pub struct EdgeLimits {
    /// From the first wait for a request's header to its end; also how long an
    /// idle keep-alive connection stays open (HTTP/1). 10 s.
    pub header_timeout: Duration,
    /// The span in which [`body_pace`](Self::body_pace) bytes of a request body
    /// must arrive, else the request is refused and the connection closed. 30 s.
    pub body_idle: Duration,
    /// Bytes that must arrive within each span of `body_idle` while a body is
    /// being waited for. One byte in 29 s is an attack, not a slow line. 4 KiB.
    pub body_pace: usize,
    /// How long a client may take none of the bytes it asked for. 30 s.
    pub write_stall: Duration,
    /// Connections open at once; further ones wait in the kernel's queue. 1024.
    pub connections: usize,
    /// Bytes of a request's line and header; at least 8,192 (hyper's own
    /// minimum), lower values are raised to it. 16 KiB.
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

impl Default for EdgeLimits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(10),
            body_idle: Duration::from_secs(30),
            body_pace: 4 << 10,
            write_stall: Duration::from_secs(30),
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
