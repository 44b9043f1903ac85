//! Tokens that are known by their form.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::rules::{RULES, Rule};
use super::{Hit, placeholder};

/// The most bytes of a token.
const MAX_BYTES: usize = 4096;

/// Random parts of well-known examples: of GitHub's documentation, and of AWS's.
const KNOWN: &[&str] = &["16C7e42F292c6912E7710c838347Ae178B4a", "IOSFODNN7EXAMPLE", "I44QH8DHBEXAMPLE"];

/// A rule that a text may match.
struct Candidate {
    rule: &'static Rule,
    prefix: &'static str,
    random: Regex,
}

/// The rules for a text that begins with a prefix, in their order. They include those with a
/// shorter prefix. The expressions are constant, and a test checks that they compile.
static CANDIDATES: LazyLock<HashMap<&str, Vec<Candidate>>> = LazyLock::new(|| {
    let compile =
        |rule: &'static Rule| Some((rule, Regex::new(&format!(r"(?-u)\A(?:{})", rule.random)).ok()?));
    let compiled: Vec<_> = RULES.iter().filter_map(compile).collect();
    let of = |text: &str| {
        let candidate = |(rule, random): &(&'static Rule, Regex)| {
            let prefix = rule.prefixes.iter().find(|prefix| text.starts_with(**prefix))?;
            Some(Candidate { rule, prefix, random: random.clone() })
        };
        compiled.iter().filter_map(candidate).collect()
    };
    prefixes().into_iter().map(|prefix| (prefix, of(prefix))).collect()
});

/// The prefixes of all rules, the longest first.
pub(super) fn prefixes() -> Vec<&'static str> {
    let mut prefixes: Vec<&str> = RULES.iter().flat_map(|rule| rule.prefixes).copied().collect();
    prefixes.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
    prefixes
}

/// The token that begins with the text from `at` to `end`, the longest prefix there.
///
/// Linear for all calls together: a token begins its word, so the words of two calls do not
/// overlap, and forms of several words have few of them.
pub(super) fn at(content: &[u8], at: usize, end: usize) -> Option<Hit> {
    let (before, text) = content.split_at_checked(at)?;
    if !begins_a_word(before) {
        return None;
    }
    let text = text.get(..MAX_BYTES).unwrap_or(text);
    let prefix = str::from_utf8(content.get(at..end)?).ok()?;
    CANDIDATES.get(prefix)?.iter().find_map(|Candidate { rule, prefix, random }| {
        let rest = text.get(prefix.len()..)?;
        let length = random.find(rest)?.end();
        // A longer text of the same alphabet is another kind of text.
        let goes_on =
            |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || (*b == b'-' && rule.random.contains("_-"));
        if rest.get(length).is_some_and(goes_on) {
            return None;
        }
        let certain = is_certain(rule, rest.get(..length)?)?;
        Some(Hit { at, what: rule.what, certain })
    })
}

/// Whether a token refuses the package. None for evident placeholders.
fn is_certain(rule: &Rule, random: &[u8]) -> Option<bool> {
    let known = KNOWN.iter().any(|known| known.as_bytes() == random);
    if known || placeholder::is_monotonous(random) {
        return None;
    }
    // Real tokens contain such words too, if rarely.
    match rule.certain {
        true => Some(!placeholder::has_word(random) && !placeholder::has_pattern(random)),
        false => (!placeholder::has_word(random)).then_some(false),
    }
}

/// Whether a text begins its word: a run of letters, digits, `_` and `-`. A few leading `_`
/// and `-` do not count, and neither does an escape such as `\n`.
fn begins_a_word(before: &[u8]) -> bool {
    let marks = before.iter().rev().take(5).take_while(|b| matches!(b, b'_' | b'-')).count();
    match before.get(..before.len() - marks) {
        Some([.., b'\\', b'n' | b'r' | b't']) => true,
        Some([.., last]) => !last.is_ascii_alphanumeric() && marks < 5,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::hits as find;
    use super::*;

    const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /// One token of each rule. `{A36}` is replaced by 36 random characters, so that this file
    /// contains no token.
    const SAMPLES: &[&str] = &[
        "smt_{b52}",
        "AKIA{B16}",
        "ABSK{A120}",
        "ghp_{A36}",
        "github_pat_{A22}_{A59}",
        "glpat-{A20}",
        "glpat-{A30}.01{x7}",
        "glptt-{x40}",
        "xoxp-{d14}-{d14}-{d14}-{x32}",
        "xoxe.xoxp-1-{B163}",
        "xapp-1-{B11}-{d13}-{x64}",
        "https://hooks.slack.com/services/T{B10}/B{B10}/{A24}",
        "https://hooks.slack.com/workflows/T{B10}/A{B10}/{d18}/{A24}",
        "https://discord.com/api/webhooks/{d19}/{A68}",
        "sk_live_{A24}",
        "sk_test_{A24}",
        "whsec_{A32}",
        "AIza{A35}",
        "GOCSPX-{A28}",
        "ya29.{A120}",
        "1//0{A60}",
        "npm_{A36}",
        "pypi-AgEIcHlwaS5vcmc{A90}",
        "rubygems_{x48}",
        "dckr_pat_{A27}",
        "sk-ant-api03-{A93}AA",
        "sk-proj-{A74}T3Blbk{}FJ{A74}",
        "sk-{A20}T3Blbk{}FJ{A20}",
        "sk-or-v1-{x64}",
        "sk-{x32}",
        "gsk_{A52}",
        "xai-{A80}",
        "pplx-{A48}",
        "r8_{A37}",
        "hf_{A34}",
        "tvly-dev-{A32}",
        "fc-{x32}",
        "SG.{A22}.{A43}",
        "xkeysib-{x64}-{A16}",
        "SK{x32}",
        "dop_v1_{x64}",
        "shpat_{x32}",
        "sq0csp-{A43}",
        "lin_api_{A40}",
        "ntn_{d11}{A35}",
        "ATATT3xFfGF0{A180}",
        "pat{A14}.{x64}",
        "figd_{A40}",
        "PMAK-{x24}-{x34}",
        "sbp_{x40}",
        "pscale_tkn_{A43}",
        "dapi{x32}",
        "glsa_{A32}_{x8}",
        "NRAK-{B27}",
        "sntryu_{x64}",
        "dp.pt.{A43}",
        "hvs.{A95}",
        "pul-{x40}",
        "HRKU-AA{A58}",
        "AGE-SECRET-KEY-1{Q58}",
        "eyJ{A30}.eyJ{A90}.{A43}",
    ];

    /// Replaces `{A36}` and the like in a text by random characters.
    fn filled(text: &str) -> String {
        let mut state = text.bytes().fold(0x2545_f491_u64, |state, b| state.rotate_left(5) ^ u64::from(b));
        let mut parts = text.split('{');
        let mut filled = parts.next().unwrap().to_owned();
        for part in parts {
            let (what, rest) = part.split_once('}').unwrap();
            let letters = match what.get(..1) {
                Some("A") => ALNUM,
                Some("B") => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
                Some("b") => "abcdefghijklmnopqrstuvwxyz234567",
                Some("d") => "1234567890",
                Some("x") => "0123456789abcdef",
                _ => "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
            };
            for _ in 0..what.get(1..).map_or(0, |count| count.parse().unwrap_or(0)) {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                filled.push(char::from(letters.as_bytes()[(state >> 33) as usize % letters.len()]));
            }
            filled += rest;
        }
        filled
    }

    fn hits(text: &str) -> Vec<(&'static str, bool)> {
        find(text).iter().map(|hit| (hit.what, hit.certain)).collect()
    }

    #[test]
    fn token_of_each_rule_is_found() {
        let prefixes = RULES.iter().flat_map(|rule| rule.prefixes);
        assert!(
            prefixes.clone().all(|prefix| !CANDIDATES[prefix].is_empty()),
            "an expression does not compile"
        );
        assert_eq!(SAMPLES.len(), RULES.len());
        for (sample, rule) in SAMPLES.iter().zip(RULES) {
            let sample = filled(sample);
            for text in [
                sample.clone(),
                format!("x: \"{sample}\"\n"),
                format!("({sample})."),
                format!("\u{e9}{sample}"),
                format!("- _{sample}"),
                format!("a\\n{sample}\\n"),
            ] {
                assert_eq!(hits(&text), [(rule.what, rule.certain)], "{text}");
            }
            if !sample.starts_with("https:") {
                assert_eq!(hits(&format!("x{sample}")), [], "{}", rule.what);
            }
            if !rule.random.ends_with(",}") {
                let longer = format!("{sample}{}", filled("{A300}"));
                assert!(!hits(&longer).contains(&(rule.what, true)), "{}", rule.what);
            }
        }
    }

    #[test]
    fn placeholder_is_no_token() {
        for text in [
            ["AKIA", "IOSFODNN7EXAMPLE"].concat(),
            ["ghp", "_", KNOWN[0]].concat(),
            format!("ghp_{}", "x".repeat(36)),
            format!("https://hooks.slack.com/services/T{0}/B{0}/{1}", "0".repeat(8), "X".repeat(24)),
            "sk-your-key-here, sk-ant-api03-...".to_owned(),
            filled("sk_test_{A12}yourKey{A12}"),
        ] {
            assert_eq!(hits(&text), [], "{text}");
        }
    }

    #[test]
    fn certain_token_with_a_word_of_examples_is_probable() {
        for word in ["example", "YOUR", "test", "AbCdEf", "123456"] {
            let text = filled(&format!("ghp_{{A10}}{word}{{A30}}"));
            assert_eq!(hits(&text[..40]), [("a GitHub token", false)], "{text}");
        }
    }
}
