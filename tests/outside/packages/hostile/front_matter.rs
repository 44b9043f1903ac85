//! A SKILL.md that is too large or unreadable.

use super::{RawEntry, RawZip, Refused, Row, refused};

const NAMED: &str = "name: hostile\ndescription: Means no good.\n";

/// A package whose SKILL.md is `text`: one finding, on `line`.
fn of(what: &str, text: impl AsRef<[u8]>, code: &'static str, line: u64) -> Row {
    let zip = RawZip::of([RawEntry::stored("SKILL.md", text)]);
    Row { line: Some(line), refused: Refused::Strictly, ..Row::new(what, &zip, &[(code, "SKILL.md")]) }
}

/// Front matter with `lines` after a name and a description.
fn with(what: &str, lines: &str, code: &'static str, line: u64) -> Row {
    of(what, format!("---\n{NAMED}{lines}---\nText.\n"), code, line)
}

#[test]
fn unreadable_front_matter_is_refused() {
    let invalid = "front_matter_invalid";
    let deep = format!("x: {}1{}\n", "[".repeat(16), "]".repeat(16));
    let large = format!("x: {}\n", "y".repeat(64 << 10));
    let colon = "---\nname: x\ndescription: Use when: always\n---\n";
    let large = with("over 64 KiB", &large, "front_matter_too_large", 1).says("64 KiB");
    refused(&[
        of("none", "# Only text\n", "front_matter_missing", 1),
        of("not closed", format!("---\n{NAMED}"), "front_matter_unclosed", 1),
        of("a colon", colon, invalid, 3).says("line 3, column "),
        of("a list", "---\n- name\n---\n", invalid, 2),
        with("a field twice", "name: other\n", invalid, 4).says("line 4, column "),
        with("an anchor", "x: &a 1\n", invalid, 4).says("anchor"),
        with("an alias", "x: *a\n", invalid, 4),
        with("a merge", "<<: {a: 1}\n", invalid, 4),
        with("billion laughs", "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n", invalid, 4),
        with("17 levels", &deep, invalid, 4),
        Row { refused: Refused::Always, ..large },
    ]);
}

#[test]
fn oversized_fields_are_refused() {
    let words = |n: usize| (0..n).map(|n| format!("word-{n}")).collect::<Vec<_>>().join(", ");
    let long = |n: usize| "x".repeat(n);
    let (keywords, homepage) = ("keywords_invalid", "homepage_invalid");
    let address = |text: &str| with(text, &format!("homepage: '{text}'\n"), homepage, 4);
    let name = |text: &str| format!("---\nname: {text}\ndescription: x\n---\n");
    let described = |text: &str| format!("---\nname: x\ndescription: {text}\n---\n");
    refused(&[
        with("33 keywords", &format!("keywords: [{}]\n", words(33)), keywords, 4).says("32"),
        with("a keyword of 65", &format!("keywords: [{}]\n", long(65)), keywords, 4).says("64"),
        with("keywords of lists", "keywords: [[a]]\n", keywords, 4),
        with("a title of 129", &format!("title: {}\n", long(129)), "title_invalid", 4).says("128"),
        with("a license of 129", &format!("license: {}\n", long(129)), "license_invalid", 4).says("128"),
        with("a license that is a list", "license: [a]\n", "license_invalid", 4),
        address(&format!("https://x.org/{}", long(2035))).says("2,048"),
        address("javascript:alert(1)"),
        address("JavaScript://x.org/%0aalert(1)"),
        address("data:text/html,x"),
        address("file:///etc/passwd"),
        address("//x.org"),
        address("https://"),
        address("https://x.org/\"onclick=\"x"),
        with("no version", "version: one\n", "version_invalid", 4),
        of("no slug", name("No Slug"), "name_invalid", 2),
        of("a name of 65", name(&long(65)), "name_invalid", 2),
        of("no description", "---\nname: x\n---\nText.\n", "description_missing", 1),
        of("an empty description", described("''"), "description_missing", 3),
        of("a description of 1025", described(&long(1025)), "description_invalid", 3).says("1024"),
    ]);
}
