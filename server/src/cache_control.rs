//! Cache intents by name, and the only place with `Cache-Control` values.

use hyper::header::HeaderValue;

/// How long, and by whom, an answer may be kept (RFC 9111).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheClass {
    /// Never changes under its address: versioned packages. One year.
    Immutable,
    /// A public document: 60 s, then asked again. Nothing stale is ever served,
    /// since purges fail in practice and a short life is the one guarantee.
    Fresh,
    /// Nothing is there, as yet: 10 s.
    Missing,
    /// Somebody's own answer: kept by nobody.
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
