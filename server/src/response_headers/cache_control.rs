//! The values of `Cache-Control`, by name. No other file has them.

use generator::address::Lifetime;
use hyper::header::HeaderValue;

/// How long and where a response may be stored (RFC 9111).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheClass {
    /// Bytes that never change at their address, such as versioned packages. One year.
    Immutable,
    /// A public document: 60 s, then it must be validated. Purges of caches fail
    /// in practice, so a short life is the only guarantee against old content.
    Fresh,
    /// A public 404 or 410: 10 s.
    Missing,
    /// A response for one caller: never stored.
    Private,
}

impl CacheClass {
    /// The value of `Cache-Control`.
    pub fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Immutable => "public, max-age=31536000, immutable",
            Self::Fresh => "public, max-age=60, must-revalidate",
            Self::Missing => "public, max-age=10",
            Self::Private => "no-store",
        })
    }
}

impl From<Lifetime> for CacheClass {
    fn from(lifetime: Lifetime) -> Self {
        match lifetime {
            Lifetime::Immutable => Self::Immutable,
            Lifetime::Short => Self::Fresh,
        }
    }
}
