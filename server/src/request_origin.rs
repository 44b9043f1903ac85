//! Which requests come from the registry's own pages.

use hyper::header::{HeaderMap, ORIGIN};
use registry::names::PublicUrl;

use crate::problem::Problem;

/// Which page sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sender {
    /// One of the registry's.
    Own,
    /// Another's, or one that does not say whose it is.
    Foreign,
    /// The request does not say: it comes from no page, or from an old browser.
    Unsaid,
}

/// Which page sent a request, by its `Origin` and nothing else: `Referer` may
/// be left out, and `Host` is what the proxy makes it.
fn sender(url: &PublicUrl, headers: &HeaderMap) -> Sender {
    let mut origins = headers.get_all(ORIGIN).iter();
    match (origins.next(), origins.next()) {
        (None, _) => Sender::Unsaid,
        (Some(one), None) if one.as_bytes().eq_ignore_ascii_case(url.origin().as_bytes()) => Sender::Own,
        _ => Sender::Foreign,
    }
}

/// Refuses what a page of the registry's own did not send: 403. For writes
/// with a cookie, which a browser adds to what foreign pages send too.
pub fn require_own(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    match sender(url, headers) {
        Sender::Own => Ok(()),
        Sender::Foreign | Sender::Unsaid => Err(not_own(url)),
    }
}

/// Refuses what another's page sent: 403. For logins, by which such a page
/// would have somebody work in its owner's account.
pub fn refuse_foreign(url: &PublicUrl, headers: &HeaderMap) -> Result<(), Problem> {
    match sender(url, headers) {
        Sender::Own | Sender::Unsaid => Ok(()),
        Sender::Foreign => Err(not_own(url)),
    }
}

fn not_own(url: &PublicUrl) -> Problem {
    Problem::forbidden(format!(
        "This needs the header `Origin: {}`: use the pages of that address, or a token.",
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
    fn scheme_host_and_port_are_the_same() {
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
        assert_eq!(sender(own, &[]), Sender::Unsaid);
        assert_eq!(sender(own, &[own, own]), Sender::Foreign);
    }
}
