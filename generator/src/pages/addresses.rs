//! Texts in addresses, and addresses as texts.

/// `text` as a value in the query of an address: percent-encoded but for what has no
/// meaning in any (RFC 3986, section 2.3).
pub(super) fn query(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

/// The address of a site as people read it: as it is, or where it has more than `most`
/// characters its host and the beginning of what follows. The host is always whole, since
/// that is what tells one site from another; a name before it (`https://bank.example@other.example`)
/// is left out.
pub(super) fn address(url: &str, most: usize) -> String {
    if url.chars().nth(most).is_none() {
        return url.to_owned();
    }
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len()));
    let host = authority.rsplit('@').next().unwrap_or_default();
    let left = most.saturating_sub(host.chars().count() + 1);
    match path.char_indices().nth(left) {
        Some((end, _)) => format!("{host}{}\u{2026}", &path[..end]),
        None => format!("{host}{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_queries_are_encoded() {
        assert_eq!(query("a b&c=d#\"'é~"), "a%20b%26c%3Dd%23%22%27%C3%A9~");
    }

    #[test]
    fn long_addresses_are_shortened_behind_their_host() {
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
