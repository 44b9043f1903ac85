//! Refuses requests that a proxy and this server could read differently (request smuggling).

use hyper::header::{AUTHORIZATION, HOST, TRANSFER_ENCODING};
use hyper::{HeaderMap, Version};

/// Checks the headers that decide where a request goes, who sends it, and where its body ends.
///
/// hyper itself refuses different values of `Content-Length`, and a `Transfer-Encoding` that does
/// not end in `chunked`. It ignores a `Content-Length` beside `chunked` and closes the connection.
///
/// Errors: what is wrong, as a sentence for the client (RFC 9112, sections 3.2 and 6; RFC 9110, section
/// 11.6.2).
pub(crate) fn check(version: Version, headers: &HeaderMap) -> Result<(), &'static str> {
    let count = |name| headers.get_all(name).iter().count();
    match count(HOST) {
        1 => {}
        0 if version < Version::HTTP_11 => {}
        0 => return Err("The header `Host` is missing."),
        _ => return Err("The header `Host` was sent more than once."),
    }
    if count(AUTHORIZATION) > 1 {
        return Err("The header `Authorization` was sent more than once.");
    }
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if let Some(coding) = codings.next() {
        if codings.next().is_some() || !coding.as_bytes().eq_ignore_ascii_case(b"chunked") {
            return Err("The only supported `Transfer-Encoding` is `chunked`.");
        }
        if version < Version::HTTP_11 {
            return Err("`Transfer-Encoding` needs HTTP/1.1.");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hyper::header::HeaderName;

    use super::*;

    fn checked(version: Version, headers: &[(HeaderName, &str)]) -> bool {
        let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
        let headers = headers.fold(HeaderMap::new(), |mut map, (name, value)| {
            map.append(name, value);
            map
        });
        check(version, &headers).is_ok()
    }

    #[test]
    fn request_with_one_meaning_is_accepted() {
        for headers in [
            &[(HOST, "a")][..],
            &[(HOST, "a"), (AUTHORIZATION, "Bearer x")],
            &[(HOST, "a"), (TRANSFER_ENCODING, "Chunked")],
        ] {
            assert!(checked(Version::HTTP_11, headers), "{headers:?}");
        }
        assert!(checked(Version::HTTP_10, &[]));
    }

    #[test]
    fn request_with_several_meanings_is_refused() {
        for headers in [
            &[][..],
            &[(HOST, "a"), (HOST, "a")],
            &[(HOST, "a"), (AUTHORIZATION, "Bearer x"), (AUTHORIZATION, "Bearer x")],
            &[(HOST, "a"), (TRANSFER_ENCODING, "gzip, chunked")],
            &[(HOST, "a"), (TRANSFER_ENCODING, "gzip"), (TRANSFER_ENCODING, "chunked")],
        ] {
            assert!(!checked(Version::HTTP_11, headers), "{headers:?}");
        }
        assert!(!checked(Version::HTTP_10, &[(TRANSFER_ENCODING, "chunked")]));
    }
}
