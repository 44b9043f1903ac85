//! Text as HTML.

use std::fmt;

/// Writes `text` so that it is text in an element and in a quoted attribute. Control
/// characters, which HTML has no way to write, become the replacement character.
pub(super) fn escape(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    let mut written = 0;
    for (at, c) in text.char_indices() {
        let instead = match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            '\t' | '\n' => continue,
            // A bare carriage return would become a line feed in the reader's eyes only.
            '\r' => "\n",
            c if c.is_control() => "\u{fffd}",
            _ => continue,
        };
        out.write_str(&text[written..at])?;
        out.write_str(instead)?;
        written = at + c.len_utf8();
    }
    out.write_str(&text[written..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_that_means_something() {
        let mut out = String::new();
        escape(&mut out, "<a href=\"x\" o='y'>&amp;\0\u{7}\tü\n\u{85}").unwrap();
        assert_eq!(out, "&lt;a href=&quot;x&quot; o=&#39;y&#39;&gt;&amp;amp;\u{fffd}\u{fffd}\tü\n\u{fffd}");
    }
}
