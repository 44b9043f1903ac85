//! The language of the repository: plain English, in the words of the field.

use regex::Regex;

use super::assert_none;
use super::source::repository;

/// Kinds of files that hold prose.
const PROSE: &[&str] = &[".rs", ".md", ".toml", ".html", ".js", ".mjs", ".py"];

/// Files that may use these words: this one, which lists them.
const EXEMPT: &[&str] = &["tests/outside/tidy/language.rs"];

/// Words and phrases that this repository does not use, and better ones.
const FORBIDDEN: &[(&str, &str)] = &[
    ("anew", "again"),
    ("in the place of", "instead of"),
    ("that is none", "that is not one"),
    ("is none of", "is not among"),
    ("are none of", "are not among"),
    ("whoever", "a user who, a process that"),
    ("for ever", "forever, permanently"),
    ("gets along", "works"),
    ("told of", "named, reported"),
    ("stands in", "is in"),
    ("in nobody's way", "ignored"),
];

#[test]
fn prose_uses_no_forbidden_words() {
    let mut offenders = Vec::new();
    let rules: Vec<_> = FORBIDDEN.iter().map(|(words, better)| (pattern(words), *better)).collect();
    for source in repository(PROSE) {
        if EXEMPT.contains(&source.path.as_str()) {
            continue;
        }
        for (pattern, better) in &rules {
            for found in pattern.find_iter(&source.text) {
                let line = source.text[..found.start()].lines().count().max(1);
                offenders.push(format!("{}:{line}: {:?}; better: {better}", source.path, found.as_str()));
            }
        }
    }
    assert_none("prose is plain English (tidy/language.rs lists the words)", &offenders);
}

/// Finds whole words, also at the beginning of a sentence and across the lines of a comment.
fn pattern(words: &str) -> Regex {
    let (first, rest) = words.split_at(1);
    let gap = r"(?:\s|//[/!]?|\x23)+";
    Regex::new(&format!(r"\b(?i:{first}){}\b", rest.replace(' ', gap))).unwrap()
}

#[test]
fn forbidden_words_are_found_across_lines_and_only_as_words() {
    let finds = |words, text| pattern(words).is_match(text);
    assert!(finds("anew", "made Anew."));
    assert!(finds("in the place of", "/// put in the\n    /// place of the old one"));
    assert!(!finds("anew", "a new one"));
    assert!(!finds("that is none", "that is None"));
}
