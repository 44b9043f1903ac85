//! The values of `Cache-Control`, by name. Those of public documents are those of the table of documents.

use generator::address::{Lifetime, MISSING_CACHE_CONTROL};
use hyper::header::HeaderValue;

/// How long and where a response may be stored (RFC 9111).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheClass {
    /// Bytes that never change at their address, such as versioned packages. One year.
    Immutable,
    /// A public document: 60 s, then it must be validated.
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
            Self::Immutable => Lifetime::Immutable.cache_control(),
            Self::Fresh => Lifetime::Short.cache_control(),
            Self::Missing => MISSING_CACHE_CONTROL,
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
