//! Credentials that must not be published.
//!
//! A package is refused only with high confidence: for files that hold secrets by
//! convention, for tokens of a fixed form, and for private keys with a body. What is less
//! certain is a warning for the publisher and the reviewers. Evident placeholders are
//! accepted, because a skill about keys has to show some. Messages never quote a secret.

mod assigned;
mod changelog;
mod placeholder;
mod private_key;
mod rules;
mod secret_file;
mod token;
pub(super) mod utf16;

use std::sync::LazyLock;

use regex::bytes::Regex;
use serde_json::{Map, Value};

pub use changelog::scan_changelog;
pub use secret_file::secret_file;

use super::finding::{Finding, Findings};
use super::finding_codes;

/// A possible secret.
struct Hit {
    /// The offset in the file.
    at: usize,
    /// The kind, with an article: `a GitHub token`.
    what: &'static str,
    certain: bool,
}

/// Warnings about one file. Further possible secrets in it are not listed.
const MAX_WARNINGS: usize = 20;

/// Texts in a package that are looked at closely. Real packages have at most some thousands.
const MAX_STARTS: usize = 200_000;

/// Every text that a secret may begin with. The expression is constant, and a test checks
/// that it compiles.
static START: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let prefixes: Vec<String> = token::prefixes().into_iter().map(regex::escape).collect();
    let names = assigned::NAMES.join("|");
    Regex::new(&format!("(?-u){}|://|{}|(?i:{names})", private_key::BEGIN, prefixes.join("|"))).ok()
});

/// Refuses a file that holds secrets by convention. If its publisher allows the path, it is
/// only a warning, for reviewers.
pub(super) fn check_path(path: &str, allowed: &[String], findings: &mut Findings) {
    let Some(what) = secret_file(path) else { return };
    let finding = |why: &str| {
        Finding::new(finding_codes::SECRET_FILE, format!("the file is {what}{why}")).in_file(path)
    };
    if allowed.iter().any(|allowed| allowed == path) {
        findings.warn(finding(", which its publisher allowed: make sure that it has no secrets"));
    } else {
        let why =
            ": leave it out, or allow exactly this path (`allowFile` in a form, `--allow-file` of a command)";
        findings.error(finding(why));
    }
}

/// The kind of a certain secret in a text, with an article: `a GitHub token`.
pub fn secret_in_text(text: &str) -> Option<&'static str> {
    find(text.as_bytes(), &mut MAX_STARTS.clone()).into_iter().find(|hit| hit.certain).map(|hit| hit.what)
}

/// The kind of what may be a secret in a text.
pub(super) fn find_in_text(text: &str) -> Option<&'static str> {
    find(text.as_bytes(), &mut MAX_STARTS.clone()).first().map(|hit| hit.what)
}

/// Refuses file names with a certain secret. The message shows only what is before it.
pub(super) fn check_names<'p>(paths: impl Iterator<Item = &'p str>, findings: &mut Findings) {
    for path in paths {
        let hits = find(path.as_bytes(), &mut MAX_STARTS.clone());
        let Some(hit) = hits.iter().find(|hit| hit.certain) else { continue };
        let shown = path.get(..hit.at).unwrap_or_default().escape_debug();
        let why =
            format!("{} is in the name of a file, `{shown}…`: revoke it, and rename the file", hit.what);
        findings.error(Finding::new(finding_codes::SECRET_FOUND, why));
    }
}

/// Refuses front matter in which a certain secret is only written with escapes. `content` is its file, which is
/// scanned already.
pub(super) fn check_front_matter(
    path: &str,
    content: &[u8],
    front_matter: &Map<String, Value>,
    findings: &mut Findings,
) {
    let text = serde_json::to_string(front_matter).unwrap_or_default();
    let Some(what) = secret_in_text(&text) else { return };
    if !find(content, &mut MAX_STARTS.clone()).iter().any(|hit| hit.certain) {
        let why = format!("{what} is in the front matter: revoke it, remove it, and publish again");
        findings.error(Finding::new(finding_codes::SECRET_FOUND, why).in_file(path).at_line(1));
    }
}

/// Scans the files of a package, text or binary, in linear time: no two texts that are
/// looked at closely share more than a few bytes.
pub(super) fn scan<'f>(files: impl Iterator<Item = (&'f str, &'f [u8])>, findings: &mut Findings) {
    let mut starts_left = MAX_STARTS;
    for (path, content) in files {
        report(path, content, find(content, &mut starts_left), findings);
        if let Some(letters) = utf16::ascii(content).filter(|_| starts_left > 0) {
            report(path, &letters, find(&letters, &mut starts_left), findings);
        }
        if starts_left == 0 {
            let why = format!(
                "more than {MAX_STARTS} texts look like the beginning of a secret: the rest of the package was not searched"
            );
            findings.warn(Finding::new(finding_codes::SECRET_SUSPECTED, why).in_file(path));
            return;
        }
    }
}

/// Reports the hits in a file.
fn report(path: &str, content: &[u8], hits: Vec<Hit>, findings: &mut Findings) {
    let (mut line, mut counted) = (1, 0);
    for hit in hits {
        let between = content.get(counted..hit.at).unwrap_or_default();
        line += between.iter().filter(|&&b| b == b'\n').count() as u64;
        counted = hit.at;
        let column = column(content, hit.at);
        let finding = |code, why: &str| {
            let finding = Finding::new(code, format!("{} {why}", hit.what)).in_file(path);
            finding.at_line(line).at_column(column)
        };
        if hit.certain {
            let why = "is in this file: revoke it, remove it, and publish again";
            findings.error(finding(finding_codes::SECRET_FOUND, why));
        } else {
            let why = "may be in this file: make sure that it is only an example";
            findings.warn(finding(finding_codes::SECRET_SUSPECTED, why));
        }
    }
}

/// The column of an offset, in characters from 1.
fn column(content: &[u8], at: usize) -> u64 {
    let before = content.get(..at).unwrap_or_default();
    let start = before.iter().rposition(|&b| b == b'\n').map_or(0, |end| end + 1);
    // Each character has one byte that does not continue another.
    before.get(start..).unwrap_or_default().iter().filter(|&&b| b & 0xC0 != 0x80).count() as u64 + 1
}

/// Finds possible secrets, in their order, and stops at a certain one, or at the last of
/// the texts to look at.
fn find(content: &[u8], starts_left: &mut usize) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    let mut next = 0;
    while let Some(start) = START.as_ref().and_then(|start| start.find_at(content, next)) {
        next = start.start() + 1;
        *starts_left -= 1;
        if *starts_left == 0 {
            break;
        }
        let Some(hit) = look_at(content, start.start(), start.end()) else { continue };
        // A token that is given to a name is one secret.
        hits.pop_if(|last| last.at == hit.at);
        if hit.certain {
            hits.push(hit);
            break;
        }
        if hits.len() < MAX_WARNINGS {
            hits.push(hit);
        }
    }
    hits
}

/// The secret that the text from `start` to `end` begins or names.
fn look_at(content: &[u8], start: usize, end: usize) -> Option<Hit> {
    let text = content.get(start..end)?;
    if text == private_key::BEGIN.as_bytes() {
        return private_key::at(content, start);
    }
    if text == b"://" {
        return assigned::in_address(content, start);
    }
    if assigned::NAMES.iter().any(|name| text.eq_ignore_ascii_case(name.as_bytes())) {
        return assigned::at(content, start, end);
    }
    token::at(content, start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The hits in one file.
    pub(super) fn hits(text: &str) -> Vec<Hit> {
        find(text.as_bytes(), &mut MAX_STARTS.clone())
    }

    fn token() -> String {
        ["ghp", "_", &"Zk3".repeat(3), "Qw9rTy2Lp8VbXc4Nm6HsJd1Fg7A"].concat()
    }

    fn scanned(files: &[(&str, &str)]) -> (Vec<Finding>, Vec<Finding>) {
        let mut findings = Findings::default();
        scan(files.iter().map(|(path, text)| (*path, text.as_bytes())), &mut findings);
        match findings.take_errors() {
            Ok(()) => (vec![], findings.into_warnings()),
            Err(refusal) => (refusal.findings, refusal.warnings),
        }
    }

    #[test]
    fn finding_names_line_and_kind_but_not_the_secret() {
        let token = token();
        let (errors, _) = scanned(&[("a.md", &format!("one\ntwo {token}\n"))]);
        assert_eq!((errors.len(), &*errors[0].code), (1, finding_codes::SECRET_FOUND));
        assert_eq!((errors[0].path.as_deref(), errors[0].line), (Some("a.md"), Some(2)));
        assert_eq!(errors[0].column, Some(5));
        assert!(errors[0].message.contains("GitHub") && !errors[0].message.contains(&token[..9]));
        let (errors, _) = scanned(&[("a.bin", &format!("\0\u{fe}\n\n\n {token}\0"))]);
        assert_eq!(errors[0].line, Some(4));
    }

    #[test]
    fn scan_of_a_file_stops_at_a_certain_secret() {
        let twice = format!("password = 'hunter2'\n{0}\n{0}\npassword = 'hunter2'\n", token());
        let (errors, warnings) = scanned(&[("a", &twice), ("b", &twice)]);
        let lines = |found: &[Finding]| found.iter().map(|finding| finding.line.unwrap()).collect::<Vec<_>>();
        assert_eq!((lines(&errors), lines(&warnings)), (vec![2, 2], vec![1, 1]));
    }

    #[test]
    fn warnings_about_a_file_are_bounded() {
        let many = "password = 'hunter2'\n".repeat(MAX_WARNINGS * 3);
        assert_eq!(hits(&many).len(), MAX_WARNINGS);
        let (errors, _) = scanned(&[("a", &format!("{many}{}", token()))]);
        assert_eq!(errors.len(), 1, "a certain one is found behind them");
    }

    #[test]
    fn texts_to_look_at_are_bounded_for_a_package() {
        let half = "key ".repeat(MAX_STARTS / 2);
        let (errors, warnings) = scanned(&[("a", &half), ("b", &half), ("c", &token())]);
        assert_eq!((errors.len(), warnings.len()), (0, 1));
        assert!(warnings[0].message.ends_with("the rest of the package was not searched"));
    }

    #[test]
    fn secret_in_utf_16_is_found_with_its_line() {
        let text = format!("one\ntwo {}\n", token());
        let encoded = |unit: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            format!("{mark}{text}").encode_utf16().flat_map(unit).collect()
        };
        for mark in ["\u{feff}", ""] {
            for content in [encoded(u16::to_le_bytes, mark), encoded(u16::to_be_bytes, mark)] {
                let mut findings = Findings::default();
                scan(std::iter::once(("a.txt", content.as_slice())), &mut findings);
                let refusal = findings.take_errors().unwrap_err();
                assert_eq!((refusal.findings.len(), refusal.findings[0].line), (1, Some(2)), "{mark:?}");
            }
        }
    }

    #[test]
    fn secret_in_a_name_is_refused_and_not_shown() {
        let mut findings = Findings::default();
        let path = format!("keys/{}.txt", token());
        check_names([path.as_str(), "a/b.txt"].into_iter(), &mut findings);
        let refusal = findings.take_errors().unwrap_err();
        assert_eq!(refusal.findings.len(), 1);
        assert!(
            refusal.to_string().contains("`keys/…`") && !refusal.to_string().contains("ghp"),
            "{refusal}"
        );
    }

    #[test]
    fn token_of_a_name_is_one_secret() {
        let text = format!("GITHUB_TOKEN={}\n", token());
        assert_eq!(hits(&text).iter().map(|hit| hit.what).collect::<Vec<_>>(), ["a GitHub token"]);
    }
}
