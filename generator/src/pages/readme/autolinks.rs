//! Finds bare URLs in text, as GitHub's dialect does
//! (<https://github.github.com/gfm/#autolinks-extension->), but only `http` and `https`.

/// A part of a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'a> {
    Text(&'a str),
    /// A URL, including its scheme.
    Url(&'a str),
}

/// Splits `text` into its parts.
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
            found.push(Piece::Url(&rest[start..end]));
            rest = &rest[end..];
            searched = 0;
        }
    }
    found.push(Piece::Text(rest));
    found.retain(|piece| *piece != Piece::Text(""));
    found
}

/// The start of the scheme at the end of `before`. Letters directly before it make it another word.
fn scheme(before: &str) -> Option<usize> {
    let word = before.trim_end_matches(|c: char| c.is_ascii_alphanumeric());
    let is_one = ["http", "https"].iter().any(|each| before[word.len()..].eq_ignore_ascii_case(each));
    is_one.then_some(word.len())
}

/// The length of a URL after its `://`; 0 if it is not one.
fn end(after: &str) -> usize {
    if !after.starts_with(|c: char| c.is_alphanumeric() || c == '[') {
        return 0;
    }
    let stops = |c: char| {
        // The last two ranges are punctuation of scripts without spaces.
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '>' | '"' | '`' | '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ff0f}')
    };
    let mut address = after.split(stops).next().unwrap_or_default();
    let mut open = address.matches('(').count();
    let mut closed = address.matches(')').count();
    // Trailing punctuation is not part of a URL, nor is a bracket that was opened before it.
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
            Piece::Url(address) => Some(address),
            Piece::Text(_) => None,
        };
        pieces(text).into_iter().filter_map(address).collect()
    }

    #[test]
    fn urls_end_before_punctuation() {
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
                    Piece::Text(text) | Piece::Url(text) => text,
                })
                .collect();
            assert_eq!(all, text);
        }
    }
}
