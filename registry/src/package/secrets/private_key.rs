//! Private keys as text (RFC 7468, older forms, OpenSSH and OpenPGP): a header line and a
//! body in base64.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{Hit, placeholder};

/// The expression is constant. A test checks that it compiles.
static HEADER: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?-u)-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----").ok());

/// Words that real keys do not contain.
const NO_BODY: &[&str] =
    &["...", "\u{2026}", "<", "your", "redacted", "xxxx", "example", "placeholder", "fake", "dummy", "****"];

/// Words that real keys do not contain in short lines.
const NO_SHORT_BODY: &[&str] = &["key", "data", "content", "base64", "here", "secret", "test"];

/// Lines between header and body. OpenPGP and encrypted keys have some.
const MAX_HEADERS: usize = 6;

/// Finds headers of private keys. Headers with a body are certain.
pub(super) fn find(content: &[u8]) -> impl Iterator<Item = Hit> + '_ {
    let matches = HEADER.iter().flat_map(|header| header.find_iter(content));
    matches.map(|found| {
        let after = content.get(found.end()..).unwrap_or_default();
        // A body starts within a few lines.
        let after = after.get(..2_000).unwrap_or(after);
        Hit { at: found.start(), what: "a private key", certain: has_body(after) }
    })
}

/// Whether key material follows the header, instead of prose or a placeholder.
fn has_body(after: &[u8]) -> bool {
    let Some(mut rest) = next_line(after) else { return false };
    for _ in 0..=MAX_HEADERS {
        let end = (0..rest.len()).find(|&at| next_line(rest.get(at..).unwrap_or_default()).is_some());
        let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        let line = bare(line);
        // `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`, an empty line, or the operator
        // that joins string literals in source code.
        let header =
            !line.iter().any(u8::is_ascii_alphanumeric) || line.windows(2).any(|window| window == b": ");
        if !header {
            return is_material(line);
        }
        match end.and_then(|end| next_line(rest.get(end..)?)) {
            Some(next) => rest = next,
            None => return false,
        }
    }
    false
}

/// The text after an end of line and the spaces before it. The end of line may also be
/// written as `\n` or `\\n`.
fn next_line(text: &[u8]) -> Option<&[u8]> {
    let spaces = text.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r')).count();
    let text = text.get(spaces..)?;
    if let Some(rest) = text.strip_prefix(b"\n") {
        return Some(rest);
    }
    let slashes = text.iter().take_while(|&&b| b == b'\\').count();
    let rest = text.get(slashes..)?;
    if slashes > 0 { rest.strip_prefix(b"n").or_else(|| next_line(rest.strip_prefix(b"r")?)) } else { None }
}

/// Strips the marks of quotes, comments and string literals around a line.
fn bare(line: &[u8]) -> &[u8] {
    let around = |b: &u8| {
        b.is_ascii_whitespace() || matches!(b, b'"' | b'\'' | b'`' | b'#' | b'>' | b'*' | b',' | b';')
    };
    let start = line.iter().position(|b| !around(b)).unwrap_or(line.len());
    let end = line.iter().rposition(|b| !around(b)).map_or(start, |last| last + 1);
    line.get(start..end).unwrap_or_default()
}

fn is_material(line: &[u8]) -> bool {
    let base64 = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'/' | b'=');
    let run = line.iter().take_while(|b| base64(b)).count();
    let lower = line.to_ascii_lowercase();
    let short = line.len() < 24 && placeholder::has_any(&lower, NO_SHORT_BODY);
    (run >= 16 || (run >= 4 && run == line.len())) && !short && !placeholder::has_any(&lower, NO_BODY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(kind: &str) -> String {
        ["-----BEGIN ", kind, "PRIVATE", " KEY", if kind == "PGP " { " BLOCK" } else { "" }, "-----"].concat()
    }

    fn certain(text: &str) -> Vec<bool> {
        find(text.as_bytes()).map(|hit| hit.certain).collect()
    }

    const BODY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7";

    #[test]
    fn header_with_body_is_certain() {
        for kind in ["", "RSA ", "EC ", "DSA ", "OPENSSH ", "ENCRYPTED ", "PGP "] {
            let begin = header(kind);
            for text in [
                format!("{begin}\n{BODY}\n"),
                format!("{begin}\r\n{BODY}\r\n"),
                format!("x = \"{begin}\\n{BODY}\\n"),
                format!("{{\"k\": \"{begin}\\\\n{BODY}\\\\n\"}}"),
                format!("# {begin}\n# {BODY}\n"),
                format!("{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\n{BODY}\n"),
                format!("{begin}\nVersion: GnuPG v2\n\n{BODY}"),
                format!("\"{begin}\\n\" +\n  \"{BODY}\\n\" +"),
                format!("k: |\n  {begin}  \n  {BODY}\n"),
            ] {
                assert_eq!(certain(&text), [true], "{text}");
            }
        }
    }

    #[test]
    fn header_with_prose_or_placeholder_is_not_certain() {
        let begin = header("RSA ");
        for after in [
            "` in the file",
            "\" in text:",
            "\n...\n-----END",
            "\n\u{2026}\n",
            "\n<your key>\n",
            "\nYOUR_PRIVATE_KEY\n",
            "\\nYOUR_KEY\\n",
            "\n[REDACTED]\n",
            "\nMIIEvQIBADANBgkqhkiG9w0B...\n",
            "\nxxxxxxxxxxxxxxxxxxxxxxxx\n",
            "\n-----END RSA",
            "\\n\" + key + \"\\n",
            "\\n{key}\\n",
            "\n${KEY}\n",
            "\nkey content here\n",
            "\nBASE64KEY\n",
            "",
            "\n",
            "\n\n\n\n\n\n\n\n\n\n\n\n",
        ] {
            assert_eq!(certain(&format!("{begin}{after}")), [false], "{after:?}");
        }
        assert!(certain(&["-----BEGIN PUBLIC", " KEY-----\n", BODY].concat()).is_empty());
    }
}
