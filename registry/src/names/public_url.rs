//! The public URL of a registry.

use std::fmt;
use std::net::{Ipv4Addr, Ipv6Addr};
use std::str::FromStr;
use std::sync::Arc;

use super::{NameError, quoted, text_forms};

/// The URL of a registry: `http://` or `https://`, a host (a name, an IPv4 address, or an
/// IPv6 address in brackets), an optional port, and an optional path without a slash at
/// its end. The text is kept as it was written.
///
/// Pages show the URL in shell commands, and a mirror shows the URL of its source. So no
/// character may have a meaning in a shell: paths have only the unreserved characters of
/// RFC 3986 (section 2.3). The script of the pages has the same grammar.
#[derive(Clone, PartialEq, Eq)]
pub struct PublicUrl(Arc<str>);

impl PublicUrl {
    /// The URL as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the scheme is `https`.
    pub fn is_encrypted(&self) -> bool {
        self.0.starts_with("https:")
    }

    /// Scheme, host and port as in the header `Origin` (RFC 6454, section 6.2): in lower
    /// case, without the default port of the scheme.
    pub fn origin(&self) -> String {
        let own = if self.is_encrypted() { ":443" } else { ":80" };
        let origin = self.0[..self.0.len() - self.path().len()].to_ascii_lowercase();
        origin.strip_suffix(own).map(Into::into).unwrap_or(origin)
    }

    /// Host, port (unless it is that of the scheme) and path, without the scheme.
    pub fn without_scheme(&self) -> String {
        let origin = self.origin();
        let host = origin.split_once("://").map_or("", |(_, host)| host);
        format!("{host}{}", self.path())
    }

    /// The path: empty, or with a slash at its start and none at its end.
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
        Err(NameError::new(format!(
            "the public URL {} is invalid: write it like \
             https://skills.example.org, with no slash at its end, and in its path only letters, digits, \
             `-`, `.`, `_` and `~`",
            quoted(text)
        )))
    }
}

/// Whether a text is a host with an optional port.
fn is_authority(text: &str) -> bool {
    // The colons of an IPv6 address are inside of its brackets.
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
    // Browsers read a host that ends in a number as an IPv4 address, or refuse it.
    if text.rsplit('.').next().is_some_and(is_number) {
        return text.parse::<Ipv4Addr>().is_ok();
    }
    // RFC 1035, section 2.3.4, and `_`, which names in private networks have.
    text.len() <= 253 && text.split('.').all(is_host_label)
}

fn is_host_label(text: &str) -> bool {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    matches!(text.len(), 1..=63)
        && text.bytes().all(allowed)
        && !text.starts_with('-')
        && !text.ends_with('-')
}

/// Whether a text is a segment of a path, but not `.` or `..`.
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
    fn public_url_has_origin_and_path() {
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
    fn public_url_with_shell_characters_is_refused() {
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
        /// The check in the script of the pages: the same grammar, except for escapes in
        /// paths.
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
