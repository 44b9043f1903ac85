//! Requests of the registry's own pages and of foreign pages, by `Origin`.

use hyper::header::{HeaderMap, ORIGIN};
use registry::names::PublicUrl;

use crate::problem::Problem;

/// The page that sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    /// A page of the registry.
    Own,
    /// Another page, or one with an opaque origin.
    Foreign,
    /// Not stated: the sender is a program or an old browser.
    Unknown,
}

/// The page that sent a request. Only `Origin` counts: browsers may omit `Referer`,
/// and proxies change `Host`.
fn sender(url: &PublicUrl, headers: &HeaderMap) -> Sender {
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Sender::Unknown,
        (Some(one), None) if one.as_bytes().eq_ignore_ascii_case(url.origin().as_bytes()) => Sender::Own,
        _ => Sender::Foreign,
    }
}

/// Refuses a request that does not come from a page of the registry: 403. For
/// writes with a cookie, which browsers also add to requests of foreign pages.
pub fn require_own(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    match sender(url, headers) {
        Sender::Own => Ok(()),
        Sender::Foreign | Sender::Unknown => Err(not_own(url)),
    }
}

/// Refuses a request of a foreign page: 403. For logins, with which such a page
/// could sign a user into the account of its owner.
pub fn refuse_foreign(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    match sender(url, headers) {
        Sender::Own | Sender::Unknown => Ok(()),
        Sender::Foreign => Err(not_own(url)),
    }
}

fn not_own(url: &PublicUrl) -> Problem {
    Problem::forbidden(format!(
        "This requires the header `Origin: {}`: use the pages of that address, or a token.",
        url.origin()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(url: &str, origins: &[&str]) -> Sender {
        let headers = origins.iter().map(|origin| (ORIGIN, origin.parse().unwrap())).collect();
        super::sender(&url.parse().unwrap(), &headers)
    }

    #[test]
    fn only_equal_scheme_host_and_port_are_own() {
        for (url, origin) in [
            ("https://skills.example.org", "https://skills.example.org"),
            ("https://Skills.Example.org:443/below/it", "https://skills.example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(sender(url, &[origin]), Sender::Own, "{url}");
        }
        for origin in [
            "null",
            "",
            "http://skills.example.org",
            "https://skills.example.org:8443",
            "https://skills.example.org/",
            "https://skills.example.org.evil.example",
            "https://evil.example",
            "https://sub.skills.example.org",
        ] {
            assert_eq!(sender("https://skills.example.org", &[origin]), Sender::Foreign, "{origin}");
        }
        let own = "https://skills.example.org";
        assert_eq!(sender(own, &[]), Sender::Unknown);
        assert_eq!(sender(own, &[own, own]), Sender::Foreign);
    }
}
