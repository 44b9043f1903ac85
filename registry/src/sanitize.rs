//! Makes text written by others safe to show on a terminal or to an agent.
//!
//! [`blank_unsafe`] is for sentences, such as the detail of a problem: escapes would only
//! disturb them. [`escape_line`] is for names, paths and values, where every character
//! counts; [`one_line`] for texts, where white space does not. [`escape_controls`] is for whole messages of several lines, [`escape_text`] for
//! the content of text files, [`escape_json`] for JSON documents.

use std::fmt::Display;

use crate::package::is_invisible;

/// Whether a character is a control character or invisible. A terminal would obey
/// the first; the second can make one text look like another. Paths in packages
/// follow the same rule.
fn is_unsafe(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// Replaces unsafe characters with spaces, so that the text is one line.
pub fn blank_unsafe(text: &str) -> String {
    text.chars().map(|c| if is_unsafe(c) { ' ' } else { c }).collect()
}

/// Escapes unsafe characters, line breaks too, so that the text is one line.
pub fn escape_line(text: impl Display) -> String {
    escape(text, is_unsafe)
}

/// Reduces white space to single spaces and escapes other unsafe characters, so that the text is one line.
pub fn one_line(text: &str) -> String {
    escape_line(text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Escapes unsafe characters, but keeps line breaks.
pub fn escape_controls(text: impl Display) -> String {
    escape(text, |c| c != '\n' && is_unsafe(c))
}

/// Escapes unsafe characters, but keeps line breaks and tabs.
pub fn escape_text(text: impl Display) -> String {
    escape(text, |c| !matches!(c, '\n' | '\t') && is_unsafe(c))
}

/// A JSON document whose unsafe characters are escapes of JSON. They can only be in its strings, so that
/// the document has the same values.
pub fn escape_json(document: impl Display) -> String {
    let mut safe = String::new();
    for c in document.to_string().chars() {
        if c != '\n' && is_unsafe(c) {
            let units =
                c.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")).collect::<String>();
            safe += &units;
        } else {
            safe.push(c);
        }
    }
    safe
}

fn escape(text: impl Display, is_escaped: impl Fn(char) -> bool) -> String {
    let safe = |c: char| if is_escaped(c) { c.escape_default().collect() } else { String::from(c) };
    text.to_string().chars().map(safe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_line_with_controls_gives_one_line() {
        assert_eq!(escape_line("Zoë's 'skill'"), "Zoë's 'skill'");
        assert_eq!(escape_line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert_eq!(one_line(" a\r\n  b\u{1b}[2J\n"), "a b\\u{1b}[2J");
        assert_eq!(escape_controls("a\nb\u{1b}[2J"), "a\nb\\u{1b}[2J");
        assert_eq!(escape_text("\ta\r\nb\u{1b}[2J"), "\ta\\r\nb\\u{1b}[2J");
    }

    #[test]
    fn escape_json_keeps_the_values() {
        let value = serde_json::json!({"a": "\u{9b}2J \u{202e}gpj \u{e0041} Zoë\n"});
        let safe = escape_json(&value);
        assert_eq!(safe, "{\"a\":\"\\u009b2J \\u202egpj \\udb40\\udc41 Zoë\\n\"}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&safe).unwrap(), value);
    }

    #[test]
    fn escape_line_shows_invisible_characters() {
        assert_eq!(escape_line("\u{202e}gpj.exe"), "\\u{202e}gpj.exe");
        assert_eq!(escape_line("a\u{2066}b\u{200b}c\u{feff}"), "a\\u{2066}b\\u{200b}c\\u{feff}");
        // Scripts and emoji need these.
        assert_eq!(escape_line("👩\u{200d}💻 ❤\u{fe0f}"), "👩\u{200d}💻 ❤\u{fe0f}");
    }
}
