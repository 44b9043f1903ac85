//! Content codings: which one a request takes (RFC 9110, section 12.5.3).

use hyper::HeaderMap;
use hyper::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderValue, VARY};

/// How the bytes of a representation are coded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Not at all, whatever a request takes.
    Fixed,
    /// Not at all, where a request does not take gzip.
    Identity,
    /// With gzip.
    Gzip,
}

impl Coding {
    /// Says so in a header.
    pub(super) fn describe(self, headers: &mut HeaderMap) {
        if self == Self::Gzip {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        if self != Self::Fixed {
            headers.insert(VARY, HeaderValue::from_static("Accept-Encoding"));
        }
    }
}

/// Whether a request takes gzip, and likes it no less than the plain bytes. What
/// cannot be read in the header is passed over.
pub(super) fn takes_gzip(request: &HeaderMap) -> bool {
    let (mut gzip, mut identity, mut any) = (None, None, None);
    for value in request.get_all(ACCEPT_ENCODING) {
        for part in value.to_str().unwrap_or_default().split(',') {
            let mut pieces = part.split(';').map(str::trim);
            let coding = pieces.next().unwrap_or_default();
            let weight = pieces.find_map(|piece| piece.strip_prefix("q=").or(piece.strip_prefix("Q=")));
            let Some(weight) = weight.map_or(Some(1000), thousandths) else { continue };
            match coding {
                _ if coding.eq_ignore_ascii_case("gzip") => gzip = Some(weight),
                _ if coding.eq_ignore_ascii_case("x-gzip") => gzip = gzip.or(Some(weight)),
                _ if coding.eq_ignore_ascii_case("identity") => identity = Some(weight),
                "*" => any = Some(weight),
                _ => {}
            }
        }
    }
    let gzip = gzip.or(any).unwrap_or(0);
    gzip > 0 && gzip >= identity.unwrap_or(0)
}

/// A weight: 0 to 1 with at most three decimals, in thousandths.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    if decimals.len() > 3 || !decimals.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let decimals: u16 = format!("{decimals:0<3}").parse().ok()?;
    match whole {
        "0" => Some(decimals),
        "1" if decimals == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_decide() {
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
            assert_eq!(takes_gzip(&request), expected, "{header}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
        let mut twice = HeaderMap::new();
        twice.append(ACCEPT_ENCODING, HeaderValue::from_static("br"));
        twice.append(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        assert!(takes_gzip(&twice));
    }
}
