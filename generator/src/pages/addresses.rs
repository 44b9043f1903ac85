//! Encodes text for addresses, and shortens addresses for people.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// All but the unreserved characters (RFC 3986, section 2.3).
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Percent-encodes a value of a query.
pub(super) fn query(text: &str) -> String {
    utf8_percent_encode(text, RESERVED).to_string()
}

/// A URL for people to read: unchanged, or its host and the beginning of its path if it has more
/// than `max` characters. The host is always complete, because it identifies the site. A user name
/// before it (`https://bank.example@other.example`) is left out.
pub(super) fn address(url: &str, max: usize) -> String {
    if url.chars().nth(max).is_none() {
        return url.to_owned();
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    let left = max.saturating_sub(host.chars().count() + 1);
    match path.char_indices().nth(left) {
        Some((end, _)) => format!("{host}{}\u{2026}", &path[..end]),
        None => format!("{host}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_value_is_percent_encoded() {
        assert_eq!(query("a b&c=d#\"'é~"), "a%20b%26c%3Dd%23%22%27%C3%A9~");
    }

    #[test]
    fn long_url_is_shortened_after_its_host() {
        for (url, expected) in [
            ("https://a.example/b", "https://a.example/b"),
            ("https://a.example/b/c/d/e/f", "a.example/b/c/d/e/f"),
            ("https://a.example/bcdefghijklmnopqrstuvw", "a.example/bcdefghij\u{2026}"),
            ("https://bank.example@a.example/bcdefg", "a.example/bcdefg"),
            ("https://a.very.long.host.example.org/x", "a.very.long.host.example.org\u{2026}"),
            ("https://ä.example/üüüüüüüüüüüüüüüü", "ä.example/üüüüüüüüü\u{2026}"),
        ] {
            assert_eq!(address(url, 20), expected);
        }
    }
}
