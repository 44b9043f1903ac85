#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;

fn package(files: &[(&str, &[u8], bool)]) -> PackageContents {
    let file = |&(path, content, executable): &(&str, &[u8], bool)| {
        (path.to_owned(), FileContents { content: content.to_vec(), executable })
    };
    files.iter().map(file).collect()
}

fn diff(old: &[(&str, &[u8], bool)], new: &[(&str, &[u8], bool)]) -> PackageDiff {
    PackageDiff::between(&package(old), &package(new))
}

#[test]
fn equal_packages_have_no_difference() {
    let files: &[(&str, &[u8], bool)] = &[("SKILL.md", b"a\n", false), ("logo.png", b"\0\xff", false)];
    let same = diff(files, files);
    assert!(same.files.is_empty() && same.text().is_empty());
    assert_eq!(same.summary(), "no file differs");
}

#[test]
fn changed_text_is_shown_as_hunks() {
    let old = b"1\n2\n3\n4\n5\n6\n7\n8\n9\n";
    let new = b"1\n2\n3\n4\nfive\n6\n7\n8\n9";
    let shown = diff(&[("SKILL.md", old, false)], &[("SKILL.md", new, false)]);
    assert_eq!(
        shown.text(),
        "diff a/SKILL.md b/SKILL.md\n--- a/SKILL.md\n+++ b/SKILL.md\n@@ -2,8 +2,8 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n \
         8\n-9\n+9\n\\ No newline at end of file\n"
    );
    assert_eq!(shown.summary(), "1 file changed");
}

#[test]
fn added_removed_and_executable_files_are_named() {
    let shown = diff(
        &[("gone.md", b"old\n", false), ("run.sh", b"#!/bin/sh\n", false)],
        &[("empty", b"", false), ("new.md", b"new\n", true), ("run.sh", b"#!/bin/sh\n", true)],
    );
    assert_eq!(
        shown.text(),
        "diff a/empty b/empty\nnew file, mode 0644\n\
         diff a/gone.md b/gone.md\nremoved file, mode 0644\n--- a/gone.md\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n\
         diff a/new.md b/new.md\nnew file, mode 0755\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1 @@\n+new\n\
         diff a/run.sh b/run.sh\nmode 0644 -> 0755\n"
    );
    assert_eq!(shown.summary(), "1 file changed, 2 added, 1 removed");
}

#[test]
fn binary_and_large_files_are_shown_by_size_and_digest() {
    let large = vec![b'a'; (1 << 20) + 1];
    let shown = diff(
        &[("a", b"a\0", false), ("b", b"text\n", false), ("c", &large, false)],
        &[("a", b"a\0b", false), ("b", b"\xff", false), ("c", b"", false)],
    );
    let text = shown.text();
    assert_eq!(text.matches("not shown line by line").count(), 3, "{text}");
    assert!(text.contains("- 2 bytes, sha256 ") && text.contains("+ 3 bytes, sha256 "), "{text}");
    assert!(shown.files.iter().all(|file| file.hunks.is_none()));
}

#[test]
fn hostile_text_is_escaped_and_keeps_tabs() {
    let shown = diff(&[], &[("SKILL.md", "\ta\u{1b}[2Jb\u{202e}c\r\n".as_bytes(), false)]);
    assert!(shown.text().ends_with("+\ta\\u{1b}[2Jb\\u{202e}c\\r\n"), "{:?}", shown.text());
    // Programs get the text as it is.
    assert!(shown.files[0].hunks.as_ref().unwrap().contains('\u{1b}'));
}

#[test]
fn lone_carriage_returns_do_not_add_lines() {
    let shown = diff(&[("a", b"x\ry\n", false)], &[("a", b"x\rz\n", false)]);
    let text = shown.text();
    assert!(text.lines().all(|line| !line.contains('\r')) && text.contains("\\r"), "{text}");
}
