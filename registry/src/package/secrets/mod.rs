//! Credentials that must not be published.
//!
//! A package is refused only with high confidence: for tokens with a fixed prefix and
//! length, and for private keys with a body. Examples and placeholders are accepted, because
//! a skill about keys has to show some. Messages never quote a secret.

mod placeholder;
mod private_key;
mod token;

use super::code;
use super::finding::{Finding, Findings};

/// A possible secret at a byte offset.
struct Hit {
    at: usize,
    /// The kind, with an article: `a GitHub token`.
    what: &'static str,
    certain: bool,
}

/// Scans a file, text or binary, in linear time.
pub(super) fn scan(path: &str, content: &[u8], findings: &mut Findings) {
    let mut hits: Vec<Hit> = token::find(content).chain(private_key::find(content)).collect();
    hits.sort_by_key(|hit| hit.at);
    let (mut line, mut counted) = (1, 0);
    for hit in hits {
        let between = content.get(counted..hit.at).unwrap_or_default();
        line += between.iter().filter(|&&b| b == b'\n').count() as u64;
        counted = hit.at;
        let finding = |code, why: &str| Finding::new(code, format!("{} {why}", hit.what)).at(path).on(line);
        if hit.certain {
            let why = "is in this file: revoke it, remove it, and publish again";
            findings.error(finding(code::SECRET_FOUND, why));
        } else {
            let why = "may be in this file: make sure that it is only an example";
            findings.warn(finding(code::SECRET_SUSPECTED, why));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finding_names_line_and_kind_but_not_the_secret() {
        let body = "Zk3".repeat(3) + "Qw9rTy2Lp8VbXc4Nm6HsJd1Fg7A";
        let text = format!("one\ntwo ghp_{body}\n");
        let mut findings = Findings::default();
        scan("a.md", text.as_bytes(), &mut findings);
        let found = findings.check().unwrap_err().findings;
        assert_eq!((found.len(), found[0].code.as_str(), found[0].line), (1, code::SECRET_FOUND, Some(2)));
        assert!(found[0].message.contains("GitHub") && !found[0].message.contains(&body[..6]));
        scan("a.bin", &[b"\0\xff\n\n\n ghp_", body.as_bytes(), b"\0"].concat(), &mut findings);
        assert_eq!(findings.check().unwrap_err().findings[0].line, Some(4));
    }
}
