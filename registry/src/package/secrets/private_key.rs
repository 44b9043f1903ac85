//! Private keys as text (RFC 7468, older forms, OpenSSH and OpenPGP): a header line and a
//! body in base64.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{Hit, placeholder};

/// How a header begins.
pub(super) const BEGIN: &str = "-----BEGIN ";

/// A header. The expression is constant, and a test checks that it compiles.
static HEADER: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?-u)\A-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----").ok()
});

/// Words that real keys do not contain.
const NO_BODY: &[&str] =
    &["...", "\u{2026}", "<", "your", "redacted", "xxxx", "example", "placeholder", "fake", "dummy", "****"];

/// Words that real keys do not contain in short lines.
const NO_SHORT_BODY: &[&str] = &["key", "data", "content", "base64", "here", "secret", "test"];

/// Lines between header and body. OpenPGP and encrypted keys have some.
const MAX_HEADERS: usize = 6;

/// Bytes of the header.
const MAX_HEADER_BYTES: usize = 96;

/// Bytes after the header. The body starts within a few lines.
const MAX_BYTES: usize = 2_000;

/// The private key whose header begins at `at`. It is certain if it has a body.
pub(super) fn at(content: &[u8], at: usize) -> Option<Hit> {
    let rest = content.get(at..)?;
    let header = HEADER.as_ref()?.find(rest.get(..MAX_HEADER_BYTES).unwrap_or(rest))?;
    let after = rest.get(header.end()..)?;
    let after = after.get(..MAX_BYTES).unwrap_or(after);
    // The next header has a body of its own, so no byte is looked at for two keys.
    let end = after.windows(5).position(|marks| marks == b"-----");
    let certain = has_body(after.get(..end.unwrap_or(after.len()))?);
    Some(Hit { at, what: "a private key", certain })
}

/// Whether key material follows the header, instead of prose or a placeholder.
fn has_body(after: &[u8]) -> bool {
    let text = with_line_ends(after);
    let mut lines = text.split(|b| *b == b'\n');
    let first = lines.next().unwrap_or_default();
    if !first.trim_ascii().is_empty() {
        return false;
    }
    // `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`, an empty line, or the operator that
    // joins string literals in source code.
    let is_header = |line: &&[u8]| {
        !line.iter().any(u8::is_ascii_alphanumeric) || line.windows(2).any(|window| window == b": ")
    };
    lines.map(bare).take(MAX_HEADERS + 1).find(|line| !is_header(line)).is_some_and(is_material)
}

/// Replaces `\n`, `\\n` and `\r\n` in string literals by the ends of lines that they mean.
fn with_line_ends(text: &[u8]) -> Vec<u8> {
    let mut replaced = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(plain) = rest.iter().position(|b| *b == b'\\') {
        replaced.extend_from_slice(&rest[..plain]);
        let slashes = rest[plain..].iter().take_while(|b| **b == b'\\').count();
        rest = &rest[plain + slashes..];
        match rest {
            [b'n', after @ ..] => {
                replaced.push(b'\n');
                rest = after;
            }
            [b'r', after @ ..] => rest = after,
            _ => replaced.push(b'\\'),
        }
    }
    replaced.extend_from_slice(rest);
    replaced
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
    let short = line.len() < 24 && placeholder::has_any(line, NO_SHORT_BODY);
    (run >= 16 || (run >= 4 && run == line.len())) && !short && !placeholder::has_any(line, NO_BODY)
}

#[cfg(test)]
mod tests {
    fn header(kind: &str) -> String {
        ["-----BEGIN ", kind, "PRIVATE", " KEY", if kind == "PGP " { " BLOCK" } else { "" }, "-----"].concat()
    }

    fn certain(text: &str) -> Vec<bool> {
        super::super::tests::hits(text).into_iter().map(|hit| hit.certain).collect()
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
