//! Request ids.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use data_encoding::BASE32_DNSSEC;
use hyper::header::HeaderValue;

/// Names one request: 16 letters and digits, 80 random bits. Always ours: one
/// that came with the request could be used to forge lines of the log.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(String);

impl RequestId {
    /// A new id.
    pub fn random() -> Self {
        let mut bytes = [0; 10];
        if getrandom::fill(&mut bytes).is_err() {
            // Ids need to differ, not to be secret: without randomness, count.
            static COUNT: AtomicU64 = AtomicU64::new(0);
            bytes[2..].copy_from_slice(&COUNT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
        }
        Self(BASE32_DNSSEC.encode(&bytes))
    }

    /// Its text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The value of `X-Request-Id`.
    pub(crate) fn header(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).unwrap_or(HeaderValue::from_static("none"))
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_short_plain_and_new() {
        let (a, b) = (RequestId::random(), RequestId::random());
        assert_eq!(a.as_str().len(), 16);
        assert!(a.as_str().bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
        assert_ne!(a, b);
        assert_eq!(a.header(), a.as_str());
    }
}
