//! Escapes text for HTML.

use std::fmt;

pub(super) use registry::package::is_unseen;

/// Escapes `text` for elements and quoted attributes, and replaces characters as [`replace_unseen`]
/// does.
pub(super) fn escape(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    write_replaced(out, text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&#39;"),
        c => replacement(c),
    })
}

/// Writes `text` with the replacement character instead of control characters, which HTML cannot
/// contain, and of [unseen](is_unseen) ones.
pub(super) fn replace_unseen(out: &mut impl fmt::Write, text: &str) -> fmt::Result {
    write_replaced(out, text, replacement)
}

fn replacement(c: char) -> Option<&'static str> {
    match c {
        '\t' | '\n' => None,
        // HTML parsers would turn a bare carriage return into a line feed anyway.
        '\r' => Some("\n"),
        // XML has neither of the last two.
        c if c.is_control() || is_unseen(c) || matches!(c, '\u{fffe}' | '\u{ffff}') => Some("\u{fffd}"),
        _ => None,
    }
}

fn write_replaced(
    out: &mut impl fmt::Write,
    text: &str,
    replaced: impl Fn(char) -> Option<&'static str>,
) -> fmt::Result {
    let mut written = 0;
    for (at, c) in text.char_indices() {
        let Some(instead) = replaced(c) else { continue };
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
    fn markup_and_control_characters_are_escaped() {
        let mut out = String::new();
        escape(&mut out, "<a href=\"x\" o='y'>&amp;\0\u{7}\tü\n\u{85}").unwrap();
        assert_eq!(out, "&lt;a href=&quot;x&quot; o=&#39;y&#39;&gt;&amp;amp;\u{fffd}\u{fffd}\tü\n\u{fffd}");
    }

    #[test]
    fn unseen_characters_are_replaced_and_scripts_stay_intact() {
        let mut out = String::new();
        escape(&mut out, "a\u{202e}b\u{2066}c\u{200b}d\u{feff}e\u{e0041}").unwrap();
        assert_eq!(out, "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}e\u{fffd}");
        let whole = "👩\u{200d}💻 ❤\u{fe0f} می\u{200c}خواهم שלום\u{200f}! Donau\u{ad}dampf";
        let mut out = String::new();
        escape(&mut out, whole).unwrap();
        assert_eq!(out, whole);
    }
}
