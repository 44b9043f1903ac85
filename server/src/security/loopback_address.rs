//! Addresses of programs on the user's own machine (RFC 8252, section 7.3).

use std::str::FromStr;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The hosts of this machine. Everything else is another machine, which must not get a token.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];
/// The longest address.
const MAX_LENGTH: usize = 1024;

/// All but the unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a program on this machine: `http`, a host of [`HOSTS`], a port, a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoopbackAddress {
    text: String,
    /// The length of scheme, host and port.
    origin: usize,
}

/// Why a text is not such an address. The message continues "`redirect_uri`: …".
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "it must be an address of your own machine, such as http://127.0.0.1:8976/callback: start the login in the client again"
)]
pub struct NotLoopback;

impl FromStr for LoopbackAddress {
    type Err = NotLoopback;

    fn from_str(text: &str) -> Result<Self, NotLoopback> {
        let rest = text.strip_prefix("http://").filter(|_| text.len() <= MAX_LENGTH).ok_or(NotLoopback)?;
        let path = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(path);
        let port = HOSTS.iter().find_map(|host| authority.strip_prefix(host)).ok_or(NotLoopback)?;
        // Browsers read `\` as `/`, and end the address at `#`. So only plain characters may follow.
        let is_plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?%".contains(&b);
        let fits = is_port(port) && path.bytes().all(is_plain);
        fits.then(|| Self { text: text.to_owned(), origin: text.len() - path.len() }).ok_or(NotLoopback)
    }
}

/// Whether a text is empty, or a colon and a port.
fn is_port(text: &str) -> bool {
    let Some(port) = text.strip_prefix(':') else { return text.is_empty() };
    port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port != 0)
}

impl LoopbackAddress {
    /// Scheme, host and port.
    pub fn origin(&self) -> &str {
        &self.text[..self.origin]
    }

    /// The source by which a Content-Security-Policy allows a form to end there. Policies have no
    /// IPv6 addresses (CSP 3, section 2.3.1), so one stands for all of `http:`.
    pub fn policy_source(&self) -> &str {
        if self.origin().contains('[') { "http:" } else { self.origin() }
    }

    /// The address with these values in its fragment, percent-encoded.
    pub fn with_fragment(&self, values: &[(&str, &str)]) -> String {
        let encoded = |text| utf8_percent_encode(text, RESERVED);
        let pairs: Vec<_> = values.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        format!("{}#{}", self.text, pairs.join("&"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_this_machine_are_accepted() {
        for (text, origin) in [
            ("http://127.0.0.1:41234/callback", "http://127.0.0.1:41234"),
            ("http://localhost:1/a/b?c=d%20e", "http://localhost:1"),
            ("http://[::1]:65535", "http://[::1]:65535"),
            ("http://localhost", "http://localhost"),
            ("http://localhost?a", "http://localhost"),
        ] {
            let address: LoopbackAddress = text.parse().unwrap();
            assert_eq!(address.origin(), origin);
            assert_eq!(
                address.with_fragment(&[("a", "b c"), ("d", "&=#")]),
                format!("{text}#a=b%20c&d=%26%3D%23")
            );
        }
    }

    #[test]
    fn other_addresses_are_refused() {
        for text in [
            "",
            "http://",
            "https://127.0.0.1:1/callback",
            "ftp://127.0.0.1/",
            "javascript:alert(1)",
            "//127.0.0.1/",
            "/callback",
            "http://evil.example/",
            "http://127.0.0.1.evil.example/",
            "http://localhost.evil.example/",
            "http://127.0.0.1@evil.example/",
            "http://evil.example@127.0.0.1/",
            "http://127.0.0.1:1@evil.example/",
            "http://127.0.0.1:1:2/",
            "http://127.0.0.1:0/",
            "http://127.0.0.1:65536/",
            "http://127.0.0.1:+1/",
            "http://127.0.0.1:/",
            "http://127.0.0.1#@evil.example/",
            "http://127.0.0.1\\@evil.example/",
            "http://127.0.0.1:1/a#b",
            "http://127.0.0.1:1/a b",
            "http://127.0.0.1:1/a\r\nb",
            "http://127.0.0.1:1/\"><script>",
            "http://127.0.0.1:1/ä",
            "http://127.0.0.2:1/",
            "http://127.1:1/",
            "http://0.0.0.0:1/",
            "http://2130706433/",
            "http://[::]:1/",
            "http://[::ffff:127.0.0.1]:1/",
            "HTTP://LOCALHOST:1/",
            " http://localhost:1/",
            &format!("http://localhost:1/{}", "a".repeat(MAX_LENGTH)),
        ] {
            assert_eq!(text.parse::<LoopbackAddress>(), Err(NotLoopback), "{text}");
        }
    }
}
