//! Where people reach the registry, and which requests come from its own pages.

use std::str::FromStr;

use hyper::Uri;
use hyper::header::{HeaderMap, ORIGIN};

use crate::problem::Problem;

/// The address under which people reach the registry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublicUrl {
    /// Scheme, host and port as browsers write them in `Origin` (RFC 6454,
    /// section 6.2): in lower case, without the scheme's own port.
    origin: String,
}

impl FromStr for PublicUrl {
    type Err = String;

    /// From `http://` or `https://`, a host, and perhaps a port and a path, to
    /// put paths behind. The error goes on after a colon.
    fn from_str(text: &str) -> Result<Self, String> {
        let refused = || {
            format!(
                "`{text}` is not an address to put paths behind: write it like https://skills.example.org"
            )
        };
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
        if rest.is_none_or(|rest| rest.contains(['?', '#', '@']) || rest.ends_with('/')) {
            return Err(refused());
        }
        let uri: Uri = text.parse().map_err(|_| refused())?;
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host().filter(|host| !host.is_empty()))
        else {
            return Err(refused());
        };
        let own = if scheme == "https" { 443 } else { 80 };
        let port = uri.port_u16().filter(|port| *port != own).map(|port| format!(":{port}"));
        Ok(Self { origin: format!("{scheme}://{host}{}", port.unwrap_or_default()).to_ascii_lowercase() })
    }
}

/// Which page sent a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sender {
    /// One of the registry's.
    Own,
    /// Another's, or one that does not say whose it is.
    Foreign,
    /// The request does not say: it comes from no page, or from an old browser.
    Unsaid,
}

impl PublicUrl {
    /// Whether people reach it over TLS.
    pub fn is_encrypted(&self) -> bool {
        self.origin.starts_with("https:")
    }

    /// Which page sent a request, by its `Origin` and nothing else: `Referer` may
    /// be left out, and `Host` is what the proxy makes it.
    pub fn sender(&self, headers: &HeaderMap) -> Sender {
        let mut origins = headers.get_all(ORIGIN).iter();
        match (origins.next(), origins.next()) {
            (None, _) => Sender::Unsaid,
            (Some(one), None) if one.as_bytes().eq_ignore_ascii_case(self.origin.as_bytes()) => Sender::Own,
            _ => Sender::Foreign,
        }
    }

    /// Refuses what a page of the registry's own did not send: 403. For writes
    /// with a cookie, which a browser adds to what foreign pages send too.
    pub fn require_own(&self, headers: &HeaderMap) -> Result<(), Problem> {
        match self.sender(headers) {
            Sender::Own => Ok(()),
            Sender::Foreign | Sender::Unsaid => Err(self.not_own()),
        }
    }

    /// Refuses what another's page sent: 403. For logins, by which such a page
    /// would have somebody work in its owner's account.
    pub fn refuse_foreign(&self, headers: &HeaderMap) -> Result<(), Problem> {
        match self.sender(headers) {
            Sender::Own | Sender::Unsaid => Ok(()),
            Sender::Foreign => Err(self.not_own()),
        }
    }

    fn not_own(&self) -> Problem {
        Problem::forbidden(format!(
            "This needs the header `Origin: {}`: use the pages of that address, or a token.",
            self.origin
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sender(url: &str, origins: &[&str]) -> Sender {
        let headers = origins.iter().map(|origin| (ORIGIN, origin.parse().unwrap())).collect();
        url.parse::<PublicUrl>().unwrap().sender(&headers)
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

    #[test]
    fn what_is_no_address_is_refused() {
        for text in [
            "skills.example.org",
            "ftp://a",
            "https://",
            "https://a/",
            "https://a?b",
            "https://a b",
            "https://u:p@a",
            "https://:8080",
        ] {
            assert!(text.parse::<PublicUrl>().unwrap_err().contains("example.org"), "{text}");
        }
    }
}
