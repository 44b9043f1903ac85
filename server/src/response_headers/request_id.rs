//! Request ids.

use std::cell::RefCell;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

use data_encoding::BASE32_DNSSEC;
use hyper::header::HeaderValue;

/// Identifies a request: 16 letters and digits, 80 random bits. Never taken from the
/// request, because such an id could forge lines of the log.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(String);

/// Random bytes of an id.
const BYTES: usize = 10;

/// Random bytes for the next ids. One system call serves many, because it takes
/// almost as long as a response from memory.
struct Pool {
    bytes: [u8; 64 * BYTES],
    used: usize,
}

thread_local! {
    static POOL: RefCell<Pool> = const { RefCell::new(Pool { bytes: [0; 64 * BYTES], used: 64 * BYTES }) };
}

impl Pool {
    fn next(&mut self) -> [u8; BYTES] {
        if self.used == self.bytes.len() {
            if getrandom::fill(&mut self.bytes).is_err() {
                // Ids have to differ but need not be secret: without randomness, count.
                static COUNT: AtomicU64 = AtomicU64::new(0);
                let mut id = [0; BYTES];
                id[2..].copy_from_slice(&COUNT.fetch_add(1, Ordering::Relaxed).to_be_bytes());
                return id;
            }
            self.used = 0;
        }
        let mut id = [0; BYTES];
        id.copy_from_slice(&self.bytes[self.used..self.used + BYTES]);
        self.used += BYTES;
        id
    }
}

impl RequestId {
    /// A new id.
    pub fn random() -> Self {
        Self(BASE32_DNSSEC.encode(&POOL.with_borrow_mut(Pool::next)))
    }

    /// The text.
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
    fn ids_are_short_plain_and_different() {
        let (a, b) = (RequestId::random(), RequestId::random());
        assert_eq!(a.as_str().len(), 16);
        assert!(a.as_str().bytes().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit()));
        assert_ne!(a, b);
        assert_eq!(a.header(), a.as_str());
        let many: std::collections::HashSet<_> = (0..1000).map(|_| RequestId::random()).collect();
        assert_eq!(many.len(), 1000);
    }
}
