//! Tokens with a fixed prefix and length. The formats are documented by their issuers, or
//! common to several scanners.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::{Hit, placeholder};

/// The format of a kind of token.
struct Format {
    what: &'static str,
    /// The prefixes.
    prefixes: &'static [&'static str],
    /// The rest, as a regular expression over bytes.
    random: &'static str,
}

/// At most 15 formats, each certain by its form alone. The first match wins.
const FORMATS: &[Format] = &[
    Format { what: "an AWS access key id", prefixes: &["AKIA", "ASIA"], random: "[A-Z0-9]{16}" },
    Format {
        what: "a GitHub token",
        prefixes: &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        random: "[A-Za-z0-9]{36}",
    },
    Format { what: "a GitHub fine-grained token", prefixes: &["github_pat_"], random: "[A-Za-z0-9_]{82}" },
    Format { what: "a GitLab token", prefixes: &["glpat-"], random: "[A-Za-z0-9_-]{20}" },
    Format {
        what: "a Slack token",
        prefixes: &["xoxb-", "xoxp-", "xoxa-"],
        random: "(?:2-)?(?:[0-9]{10,13}-){1,3}[A-Za-z0-9]{24,34}",
    },
    Format { what: "a Stripe live key", prefixes: &["sk_live_", "rk_live_"], random: "[A-Za-z0-9]{24,}" },
    Format { what: "a Google API key", prefixes: &["AIza"], random: "[A-Za-z0-9_-]{35}" },
    Format { what: "an npm token", prefixes: &["npm_"], random: "[A-Za-z0-9]{36}" },
    Format { what: "a PyPI token", prefixes: &["pypi-AgEIcHlwaS5vcmc"], random: "[A-Za-z0-9_-]{50,}" },
    Format {
        what: "an Anthropic API key",
        prefixes: &["sk-ant-api03-", "sk-ant-admin01-"],
        random: "[A-Za-z0-9_-]{93}AA",
    },
    Format {
        what: "an OpenAI API key",
        prefixes: &["sk-proj-", "sk-svcacct-", "sk-admin-"],
        random: "(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})T3BlbkFJ(?:[A-Za-z0-9_-]{74}|[A-Za-z0-9_-]{58})",
    },
    Format {
        what: "an OpenAI API key",
        prefixes: &["sk-"],
        random: "[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    },
    Format { what: "a Hugging Face token", prefixes: &["hf_"], random: "[A-Za-z0-9]{34}" },
    Format { what: "a SendGrid key", prefixes: &["SG."], random: r"[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}" },
    Format {
        what: "a DigitalOcean token",
        prefixes: &["dop_v1_", "doo_v1_", "dor_v1_"],
        random: "[a-f0-9]{64}",
    },
];

/// Random parts of well-known examples, here from GitHub's documentation.
const KNOWN: &[&str] = &["16C7e42F292c6912E7710c838347Ae178B4a"];

/// All formats in one expression. A test checks that it compiles.
static TOKEN: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let one =
        |format: &Format| format!("(?:{}){}", format.prefixes.join("|").replace('.', r"\."), format.random);
    let all: Vec<String> = FORMATS.iter().map(one).collect();
    Regex::new(&format!(r"(?-u)\b(?:{})", all.join("|"))).ok()
});

/// Finds tokens that are not placeholders.
pub(super) fn find(content: &[u8]) -> impl Iterator<Item = Hit> + '_ {
    let matches = TOKEN.iter().flat_map(|token| token.find_iter(content));
    matches.filter_map(|found| {
        let begins = |prefix: &str| found.as_bytes().strip_prefix(prefix.as_bytes());
        let (format, random) =
            FORMATS.iter().find_map(|f| Some((f, f.prefixes.iter().find_map(|prefix| begins(prefix))?)))?;
        // A longer text of the same alphabet is another kind of text.
        let goes_on =
            |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || (*b == b'-' && format.random.contains("_-"));
        let known = KNOWN.iter().any(|known| known.as_bytes() == random);
        let secret =
            !known && !placeholder::is_made_up(random) && !content.get(found.end()).is_some_and(goes_on);
        secret.then_some(Hit { at: found.start(), what: format.what, certain: true })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Random characters, so that this file contains no token.
    fn random(length: usize, alphabet: &str) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        let mut state = 0x2545_f491_u64;
        let next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            letters[(state >> 33) as usize % letters.len()]
        };
        std::iter::repeat_with(next).take(length).collect()
    }

    const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    fn samples() -> Vec<String> {
        let r = |length| random(length, ALNUM);
        let join = |parts: &[&str]| parts.concat();
        vec![
            join(&["AKIA", &random(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")]),
            join(&["ghp", "_", &r(36)]),
            join(&["github", "_pat_", &r(22), "_", &r(59)]),
            join(&["glpat", "-", &r(20)]),
            join(&["xoxb", "-", &random(12, "123456789"), "-", &random(12, "987654321"), "-", &r(24)]),
            join(&["sk", "_live_", &r(24)]),
            join(&["AIza", &r(35)]),
            join(&["npm", "_", &r(36)]),
            join(&["pypi", "-AgEIcHlwaS5vcmc", &r(90)]),
            join(&["sk-", "ant-api03-", &r(93), "AA"]),
            join(&["sk-", "proj-", &r(74), "T3Blbk", "FJ", &r(74)]),
            join(&["sk-", &r(20), "T3Blbk", "FJ", &r(20)]),
            join(&["hf", "_", &r(34)]),
            join(&["SG", ".", &r(22), ".", &r(43)]),
            join(&["dop", "_v1_", &random(64, "0123456789abcdef")]),
        ]
    }

    fn count(text: &str) -> usize {
        find(text.as_bytes()).count()
    }

    #[test]
    fn token_of_each_format_is_found() {
        assert!(FORMATS.len() <= 15);
        for (sample, format) in samples().iter().zip(FORMATS) {
            for text in [
                sample.clone(),
                format!("key=\"{sample}\"\n"),
                format!("({sample})."),
                format!("\u{e9}{sample}"),
            ] {
                let what: Vec<_> = find(text.as_bytes()).map(|hit| hit.what).collect();
                assert_eq!(what, [format.what], "{}", format.random);
            }
            assert_eq!(count(&format!("x{sample}")), 0, "{}", format.what);
            if !format.random.ends_with(",}") {
                assert_eq!(count(&format!("{sample}Zz9Yy8Xx7Ww6")), 0, "{}", format.what);
            }
        }
    }

    #[test]
    fn example_token_is_accepted() {
        let aws = ["AKIA", "IOSFODNN7EXAMPLE"].concat();
        let github = ["ghp", "_", KNOWN[0]].concat();
        let own = |prefix: &str, random: &str| format!("{prefix}{random}");
        let stripe = own("sk_live_", "4eC39HqLyjYOURkeyHERE123");
        let many = own("ghp_", &"x".repeat(36));
        let alphabet = own("npm_", &ALNUM[26..]);
        for text in [aws, github, stripe, many, alphabet, own("sk_test_", &random(24, ALNUM))] {
            assert_eq!(count(&text), 0, "{text}");
        }
    }
}
