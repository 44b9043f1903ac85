//! Content codings: which one a request accepts (RFC 9110, section 12.5.3).

use hyper::HeaderMap;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, VARY};

use super::quality_values;

/// The content coding of a representation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// None, for every request.
    Fixed,
    /// None, because the request does not accept gzip.
    Identity,
    /// gzip.
    Gzip,
}

impl Coding {
    /// Sets `Content-Encoding`, and names the header of the request that decides.
    pub fn set_headers(self, headers: &mut HeaderMap) {
        if self == Self::Gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if self != Self::Fixed {
            headers.append(VARY, HeaderValue::from_static("Accept-Encoding"));
        }
    }
}

/// Whether a request accepts gzip and does not prefer plain bytes. Invalid
/// weights are ignored.
pub fn accepts_gzip(request: &HeaderMap) -> bool {
    let (mut gzip, mut identity, mut any) = (None, None, None);
    for alternative in quality_values(request, ACCEPT_ENCODING) {
        let Some(weight) = alternative.weight else { continue };
        match alternative.value {
            coding if coding.eq_ignore_ascii_case("gzip") => gzip = Some(weight),
            coding if coding.eq_ignore_ascii_case("x-gzip") => gzip = gzip.or(Some(weight)),
            coding if coding.eq_ignore_ascii_case("identity") => identity = Some(weight),
            "*" => any = Some(weight),
            _ => {}
        }
    }
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= identity.unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_accepted_by_weight() {
        for (header, expected) in [
            ("gzip", true),
            ("GZip, deflate, br", true),
            ("x-gzip", true),
            ("br;q=1.0, gzip;q=0.001", true),
            ("gzip;q=1.000", true),
            ("*", true),
            ("*;q=0.5, gzip;q=0", false),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("gzip ; Q=0.3", true),
            ("identity, gzip;q=0.5", false),
            ("identity;q=0.5, gzip;q=0.5", true),
            ("identity;q=0, *", true),
            ("identity;q=0", false),
            ("identity;q=0, *;q=0", false),
            ("*;q=0", false),
            ("deflate", false),
            ("", false),
            ("gzip;q=2", false),
            ("gzip;q=-1", false),
            ("gzip;q=0.1234", false),
            ("gzip;q=", false),
            ("gzipped", false),
            (",,;q=1, gzip", true),
        ] {
            let mut request = HeaderMap::new();
            request.insert(ACCEPT_ENCODING, HeaderValue::from_static(header));
            assert_eq!(accepts_gzip(&request), expected, "{header}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
        let mut twice = HeaderMap::new();
        twice.append(ACCEPT_ENCODING, HeaderValue::from_static("br"));
        twice.append(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(accepts_gzip(&twice));
    }
}
