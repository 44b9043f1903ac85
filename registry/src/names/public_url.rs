//! Where people reach a registry.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;

use super::{NameError, text_forms};

/// The address under which people reach a registry, as it was written:
/// `http://` or `https://`, a host (a name, an IPv4 address or an IPv6 address
/// in brackets), perhaps a port, perhaps a path without a slash at its end.
///
/// Pages show it inside commands for a shell, and a mirror shows what its source
/// says: so a path has only the unreserved characters of RFC 3986 (section 2.3),
/// and nothing in the whole means anything to a shell. All of it is also an
/// address to the script of the pages, which shows the one they are read under.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicUrl(Arc<str>);

impl PublicUrl {
    /// The address as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether people reach it over TLS.
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Scheme, host and port as browsers write them in `Origin` (RFC 6454,
    /// section 6.2): in lower case, without the scheme's own port.
    pub fn origin(&self) -> String {
        let own = if self.is_encrypted() { ":443" } else { ":80" };
        let origin = self.0[..self.0.len() - self.path().len()].to_ascii_lowercase();
        origin.strip_suffix(own).map(Into::into).unwrap_or(origin)
    }

    /// The path: empty, or with a slash at its beginning and none at its end.
    pub fn path(&self) -> &str {
        let after_scheme = self.0.split_once("://").map_or("", |(_, rest)| rest);
        after_scheme.find('/').map_or("", |start| &after_scheme[start..])
    }
}

impl FromStr for PublicUrl {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Self, NameError> {
        let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
        let is_one = rest.is_some_and(|rest| {
            let mut parts = rest.split('/');
            parts.next().is_some_and(is_authority) && parts.all(is_segment)
        });
        if is_one {
            return Ok(Self(text.into()));
        }
        let shown: String = text.chars().take(80).collect();
        Err(NameError(format!(
            "the public URL `{}` is not an address to put paths behind: write it like \
             https://skills.example.org, with no slash at its end, and in its path only letters, digits, \
             `-`, `.`, `_` and `~`",
            shown.escape_debug()
        )))
    }
}

/// A host, and perhaps a port.
fn is_authority(text: &str) -> bool {
    // The colons of an IPv6 address stand before its bracket.
    let colon = text.rfind(':').filter(|colon| !text[*colon..].contains(']'));
    let (host, port) = colon.map_or((text, None), |colon| (&text[..colon], Some(&text[colon + 1..])));
    is_host(host) && port.is_none_or(is_port)
}

fn is_port(text: &str) -> bool {
    text.bytes().all(|b| b.is_ascii_digit()) && text.parse::<u16>().is_ok_and(|port| port != 0)
}

fn is_host(text: &str) -> bool {
    if let Some(address) = text.strip_prefix('[') {
        return address.strip_suffix(']').is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    let is_number = |label: &str| label.bytes().all(|b| b.is_ascii_digit());
    // What ends in a number is an IPv4 address to browsers, or nothing.
    if text.rsplit('.').next().is_some_and(is_number) {
        return text.parse::<Ipv4Addr>().is_ok();
    }
    // RFC 1035, section 2.3.4; with `_`, which names inside of networks have.
    text.len() <= 253 && text.split('.').all(is_host_label)
}

fn is_host_label(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    matches!(text.len(), 1..=63)
        && text.bytes().all(allowed)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// A segment of a path, one that leads down.
fn is_segment(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_' | b'~');
    !matches!(text, "" | "." | "..") && text.bytes().all(allowed)
}

impl fmt::Display for PublicUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_forms!(PublicUrl);

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_address_has_an_origin_and_a_path() {
        for (url, origin, path) in [
            ("https://skills.example.org", "https://skills.example.org", ""),
            ("https://Skills.Example.org:443/below/it", "https://skills.example.org", "/below/it"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080", ""),
            ("http://[::1]:80", "http://[::1]", ""),
            ("http://[FE80::1]", "http://[fe80::1]", ""),
            ("http://localhost:443/~ann/a.b-c_D", "http://localhost:443", "/~ann/a.b-c_D"),
            ("https://a.example:80", "https://a.example:80", ""),
            ("http://my_host", "http://my_host", ""),
        ] {
            let parsed: PublicUrl = url.parse().unwrap();
            assert_eq!((parsed.origin().as_str(), parsed.path(), parsed.as_str()), (origin, path, url));
        }
    }

    #[test]
    fn what_is_none_or_means_something_to_a_shell_is_refused() {
        for text in [
            "",
            "skills.example.org",
            "ftp://a",
            "HTTP://a",
            "https://",
            "https:///a",
            "https://a/",
            "https://a//b",
            "https://a/./b",
            "https://a/..",
            "https://a?b",
            "https://a#b",
            "https://a b",
            "https://u:p@a",
            "https://:8080",
            "https://a:",
            "https://a:0",
            "https://a:+80",
            "https://a:65536",
            "https://-a",
            "https://a..b",
            "https://a.",
            "https://1.2.3",
            "https://1.2.3.256",
            "https://[::1",
            "https://[::g]",
            "https://[]",
            "https://::1",
            "https://ä.example",
            "https://a/ä",
            "https://a/%20",
            "https://a.example/$(id)",
            "https://a.example/x';id;'",
            "https://a.example/x|y",
            "https://a.example/`id`",
            "https://a.example/x&y",
            "https://a.example/x\\y",
            "https://$(id).example",
            "https://a.example:80;id",
            "https://a.example/x\ny",
            "https://a.example/<b>",
        ] {
            let why = text.parse::<PublicUrl>().unwrap_err().to_string();
            assert!(why.contains("public URL") && why.contains("skills.example.org"), "{why}");
            assert!(!why.contains('\n'), "{why}");
        }
    }

    proptest! {
        /// What pages look for before they show the address they are read under:
        /// the same grammar, but for the escapes of paths.
        #[test]
        fn the_script_of_the_pages_takes_it_too(
            text in "https?://([a-zA-Z]{1,9}|[a-z0-9A-Z.:$;_\\[\\]-]{1,12})(:[1-9][0-9]{0,4})?(/[a-z~._-]{1,6}|/[ -~]{0,6}){0,2}"
        ) {
            let script = regex::Regex::new(r"^https?://[\w.:\[\]-]+(/[\w.~%-]+)*$").unwrap();
            prop_assume!(text.parse::<PublicUrl>().is_ok());
            prop_assert!(text.is_ascii() && script.is_match(&text), "{}", text);
        }
    }
}
