//! Paths that leave the folder, or that some system cannot store.

use super::{RawEntry, Row, refused, skill, with};

/// SKILL.md, and empty files of these names, each to be named.
fn named(what: &str, code: &'static str, names: &[&str]) -> Row {
    let zip = with(names.iter().map(|name| RawEntry::stored(name, "")));
    let found: Vec<_> = names.iter().map(|name| (code, name.strip_suffix('/').unwrap_or(name))).collect();
    Row::new(what, &zip, &found)
}

#[test]
fn paths_outside_the_folder_are_refused() {
    let raw = |bytes: &[u8]| RawEntry::stored(bytes, "");
    let (traversal, control, unseen) =
        ("path_traversal", "path_control_character", "path_invisible_character");
    refused(&[
        named("upwards", traversal, &["../x", "a/../../x", "..", "a/b/.."]),
        named("through nothing", traversal, &["a//b", "a/./b", "../../../etc/cron.d/x"]),
        named("folders upwards", traversal, &["../d/", "a/../e/"]),
        named("in junk", traversal, &["node_modules/../../x", ".git/../../y"]),
        named("absolute", "path_absolute", &["/etc/passwd", "//host/share"]),
        // One error for all of them: the program that made the zip writes each name so.
        Row::new(
            "backslashes",
            &with(["..\\x", "a\\b", "\\\\host\\share"].map(|name| RawEntry::stored(name.as_bytes(), "x"))),
            &[("path_backslash", "..\\x")],
        ),
        named("drives", "path_drive_letter", &["C:/x", "c:x"]),
        named("NUL and its like", control, &["a\0.md", "b\n.md", "c\u{1b}[2J", "d\u{7f}", "e\u{85}"]),
        named("unseen", unseen, &["x\u{202e}gpj.exe", "a\u{200b}", "\u{feff}b", "c\u{2066}", "d\u{e0041}"]),
        Row::new("no name", &with([RawEntry::stored("", "x")]), &[("path_empty", "")]),
        Row::new(
            "not UTF-8",
            &with([raw(b"\xff.md"), raw(b"\xfe.md"), raw(b"a/\xc3")]),
            &[("path_not_utf8", "\\xff.md"), ("path_not_utf8", "\\xfe.md"), ("path_not_utf8", "a/\\xc3")],
        ),
    ]);
}

#[test]
fn unportable_names_are_refused() {
    let long = |last: &str| format!("{}{last}", "d/".repeat(127));
    let ending = "path_trailing_dot_or_space";
    refused(&[
        named("devices", "path_reserved", &["con", "a/NUL.txt", "COM1", "LPT9.md", "aux.tar.gz"]),
        named("devices with other digits", "path_reserved", &["COM¹", "lpt².md", "COM³.txt"]),
        named("a dot or space at the end", ending, &["a.", "b ", "c./d", "e /f", "..."]),
        named("colons", "path_colon", &["dir/a:b", "SKILL.md:stream", "::$DATA"]),
        named("longer than 255 bytes", "path_too_long", &[&long("ab"), &long("cde"), &"é".repeat(128)]),
    ]);
}

#[test]
fn names_that_some_system_considers_equal_are_refused() {
    let pair = |what: &str, names: &[&str]| named(what, "path_duplicate", names);
    let both = "path_file_and_folder";
    refused(&[
        pair("letter case", &["README", "readme", "a/B", "A/b"]),
        pair("sharp s", &["straße", "STRASSE"]),
        pair("composed and not", &["\u{e9}", "e\u{301}"]),
        pair("composed in the other case", &["\u{c9}.md", "e\u{301}.md"]),
        pair("a long s and a Kelvin sign", &["\u{17f}", "s", "\u{212a}", "k"]),
        pair("joiners", &["a\u{200d}b", "ab"]),
        pair("folders", &["Docs/", "docs/"]),
        Row::new(
            "exactly",
            &with([RawEntry::stored("same", "1"), RawEntry::stored("same", "2")]),
            &[("path_duplicate", "same")],
        ),
        Row::new(
            "two SKILL.md",
            &with([RawEntry::stored("skill.MD", skill().data)]),
            &[("path_duplicate", "SKILL.md"), ("path_duplicate", "skill.MD")],
        ),
        Row::new(
            "files that are folders",
            &with(["a", "A/b", "c", "c/d/e", "f", "f/"].map(|name| RawEntry::stored(name, ""))),
            &[(both, "a"), (both, "c"), (both, "f")],
        ),
    ]);
}
