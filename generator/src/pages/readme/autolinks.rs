//! Addresses that stand in a text as they are, found as GitHub's dialect finds them
//! (<https://github.github.com/gfm/#autolinks-extension->): `http` and `https` alone.

/// A piece of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// From its scheme on.
    Address(&'a str),
}

/// The pieces of `text`, in order.
pub(super) fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    let mut searched = 0;
    while let Some(at) = rest[searched..].find("://").map(|at| searched + at) {
        searched = at + 3;
        let Some(start) = scheme(&rest[..at]) else { continue };
        let end = searched + end(&rest[searched..]);
        if end > searched {
            found.push(Piece::Text(&rest[..start]));
            found.push(Piece::Address(&rest[start..end]));
            rest = &rest[end..];
            searched = 0;
        }
    }
    found.push(Piece::Text(rest));
    found.retain(|piece| *piece != Piece::Text(""));
    found
}

/// Where the scheme begins that `before` ends with. Letters before it are of another word.
fn scheme(before: &str) -> Option<usize> {
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let is_one = ["http", "https"].iter().any(|each| before[word.len()..].eq_ignore_ascii_case(each));
    is_one.then_some(word.len())
}

/// How long the address is behind its `://`; 0 where that is none.
fn end(after: &str) -> usize {
    if !after.starts_with(|c: char| c.is_alphanumeric() || c == '[') {
        return 0;
    }
    let stops = |c: char| {
        // The last two are punctuation of scripts that put no space behind it.
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '"' | '`' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}')
    };
    let mut address = after.split(stops).next().unwrap_or_default();
    let mut open = address.matches('(').count();
    let mut closed = address.matches(')').count();
    // What stands behind an address is no part of it, nor is a bracket that began before it.
    while let Some(last) = address.chars().next_back() {
        match last {
            '?' | '!' | '.' | ',' | ':' | ';' | '*' | '_' | '~' | '\'' | '|' => {}
            ')' if closed > open => closed -= 1,
            '(' => open -= 1,
            _ => break,
        }
        address = &address[..address.len() - last.len_utf8()];
    }
    address.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(text: &str) -> Vec<&str> {
        let address = |piece| match piece {
            Piece::Address(address) => Some(address),
            Piece::Text(_) => None,
        };
        pieces(text).into_iter().filter_map(address).collect()
    }

    #[test]
    fn addresses_are_found_and_end_where_they_do() {
        for (text, expected) in [
            ("see https://example.org/a_b?c=d&e#f.", vec!["https://example.org/a_b?c=d&e#f"]),
            ("HTTP://example.org, (http://a.b/c) !", vec!["HTTP://example.org", "http://a.b/c"]),
            ("(https://a.b/c_(d)) https://a.b/(((", vec!["https://a.b/c_(d)", "https://a.b/"]),
            ("参照https://a.b/c。次", vec!["https://a.b/c"]),
            ("\"https://a.b\" 'https://c.d'", vec!["https://a.b", "https://c.d"]),
            ("http://localhost:8080/ http://[::1]/x", vec!["http://localhost:8080/", "http://[::1]/x"]),
            ("xhttps://a.b ftp://a.b javascript://a.b http:// https:///x http:a.b ://", vec![]),
            ("http://http://a.b", vec!["http://http://a.b"]),
        ] {
            assert_eq!(addresses(text), expected, "{text}");
            let all: String = pieces(text)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Text(text) | Piece::Address(text) => text,
                })
                .collect();
            assert_eq!(all, text);
        }
    }
}
