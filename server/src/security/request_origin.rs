//! Requests of the registry's own pages and of foreign pages, by `Origin`.

use hyper::header::{HeaderMap, ORIGIN};
use registry::names::PublicUrl;

use crate::problem::Problem;

/// Whether a page of the registry sent a request. `None` if the sender is a
/// program or an old browser. Only `Origin` counts: browsers may omit `Referer`,
/// and proxies change `Host`.
fn is_own(url: &PublicUrl, headers: &HeaderMap) -> Option<bool> {
    let mut origins = headers.get_all(ORIGIN).iter();
    let first = origins.next()?;
    Some(origins.next().is_none() && first.as_bytes().eq_ignore_ascii_case(url.origin().as_bytes()))
}

/// Refuses a request that does not come from a page of the registry: 403. For
/// writes with a cookie, which browsers also add to requests of foreign pages.
pub fn require_own(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    if is_own(url, headers) == Some(true) { Ok(()) } else { Err(not_own(url)) }
}

/// Refuses a request of a foreign page: 403. For logins, with which such a page
/// could sign a user into the account of its owner.
pub fn refuse_foreign(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    if is_own(url, headers) == Some(false) { Err(not_own(url)) } else { Ok(()) }
}

fn not_own(url: &PublicUrl) -> Problem {
    Problem::forbidden(format!(
        "Open this page at {0}, or use a token: a session needs the header `Origin: {0}`.",
        url.origin()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_own(url: &str, origins: &[&str]) -> Option<bool> {
        let headers = origins.iter().map(|origin| (ORIGIN, origin.parse().unwrap())).collect();
        super::is_own(&url.parse().unwrap(), &headers)
    }

    #[test]
    fn only_equal_scheme_host_and_port_are_own() {
        for (url, origin) in [
            ("https://skills.example.org", "https://skills.example.org"),
            ("https://Skills.Example.org:443/below/it", "https://skills.example.org"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("http://[::1]:80", "http://[::1]"),
        ] {
            assert_eq!(is_own(url, &[origin]), Some(true), "{url}");
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
            assert_eq!(is_own("https://skills.example.org", &[origin]), Some(false), "{origin}");
        }
        let own = "https://skills.example.org";
        assert_eq!(is_own(own, &[]), None);
        assert_eq!(is_own(own, &[own, own]), Some(false));
    }
}
