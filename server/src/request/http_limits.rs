//! Limits on connections and requests.

use std::time::Duration;

use crate::request::client_address::TrustedProxies;

/// Bytes that have to pass in each second, in both directions, while somebody waits for them. Twice what
/// Apache's `mod_reqtimeout` asks for (`MinRate=500`), and less than the slowest lines in use bring:
/// GSM has 9,600 bit/s.
pub const MIN_PACE: usize = 1024;

/// The bytes that have to pass in a span of time.
pub(crate) fn min_bytes_in(span: Duration) -> usize {
    let bytes = span.as_millis().saturating_mul(MIN_PACE as u128) / 1000;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

/// hyper panics for smaller buffers.
pub const MIN_HEADER_BYTES: usize = 8192;

/// Limits on connections and requests. They apply before authentication, so they
/// hold for every caller.
#[derive(Debug, Clone)]
pub struct HttpLimits {
    /// The time for the header of a request; also how long an idle keep-alive
    /// connection stays open. Default: 10 s.
    pub header_timeout: Duration,
    /// The spans in each of which a request body has to bring [`MIN_PACE`] on average. Otherwise the
    /// request is refused and the connection closed. Default: 30 s.
    pub body_timeout: Duration,
    /// The spans in each of which a client has to read [`MIN_PACE`] of a response on average. Default:
    /// 30 s.
    pub write_timeout: Duration,
    /// Open connections. For a further one the client with most loses one
    /// ([`registry::fair_share`]). If all have as many, an idle one is closed, or the new one waits in
    /// the queue of the kernel. Default: 1024.
    pub connections: usize,
    /// Open connections of a client: an IPv4 address or an IPv6 /64 that is not a trusted proxy.
    /// For a further one its longest idle one is closed; if none is idle, the new one. Default: 256.
    pub connections_per_client: usize,
    /// Bytes of a request's line and header. The last read may exceed it by as much
    /// again. Values below [`MIN_HEADER_BYTES`] are raised to it. Default: 16 KiB.
    pub header_bytes: usize,
    /// How long running requests may take to finish after a shutdown began. Then
    /// their connections are dropped. Default: 10 s.
    pub shutdown_timeout: Duration,
    /// Bytes of a JSON body. Default: 64 KiB.
    pub json: usize,
    /// Bytes of an uploaded zip, without the framing of the form. Default: 50 MiB.
    pub zip: usize,
    /// Forms that are uploaded or wait at the same time. Default: 64.
    pub uploads: usize,
    /// Bytes of all forms in memory. Default: 512 MiB.
    pub uploads_total: usize,
    /// Uploads of one person at the same time. Default: 32, half of `uploads`.
    pub uploads_per_person: usize,
    /// The proxies that may name the client of a request. Default: none.
    pub trusted_proxies: TrustedProxies,
}

/// The limits that are read for each request.
#[derive(Debug, Clone)]
pub struct RequestLimits {
    /// As in [`HttpLimits`].
    pub body_timeout: Duration,
    /// As in [`HttpLimits`].
    pub trusted_proxies: TrustedProxies,
}

impl RequestLimits {
    /// Those among all limits.
    pub fn of(limits: &HttpLimits) -> Self {
        let HttpLimits { body_timeout, ref trusted_proxies, .. } = *limits;
        Self { body_timeout, trusted_proxies: trusted_proxies.clone() }
    }
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            header_timeout: Duration::from_secs(10),
            body_timeout: Duration::from_secs(30),
            write_timeout: Duration::from_secs(30),
            connections: 1024,
            connections_per_client: 256,
            header_bytes: 16 << 10,
            shutdown_timeout: Duration::from_secs(10),
            json: 64 << 10,
            zip: 50 << 20,
            uploads: 64,
            uploads_total: 512 << 20,
            uploads_per_person: 32,
            trusted_proxies: TrustedProxies::default(),
        }
    }
}
