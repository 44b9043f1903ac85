//! Line endings of Markdown.

use std::borrow::Cow;

/// A text whose lines end with line feeds: each carriage return without a line feed after it is
/// replaced by one. It has as many bytes as before.
///
/// Both end a line in Markdown. The parser looks for the next line feed from the start of every
/// construct that ends with its line, so a long text of carriage returns alone would cost it the
/// square of its length.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_bare = |at: usize| bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n');
    if !(0..bytes.len()).any(is_bare) {
        return Cow::Borrowed(text);
    }
    let letters = text.char_indices().map(|(at, c)| if is_bare(at) { '\n' } else { c });
    Cow::Owned(letters.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_bare_carriage_returns_are_replaced() {
        assert_eq!(with_line_feeds("é\rb\r\nc\r\r\n\r"), "é\nb\r\nc\n\r\n\n");
        assert!(matches!(with_line_feeds("a\r\nb\n"), Cow::Borrowed(_)));
    }
}
