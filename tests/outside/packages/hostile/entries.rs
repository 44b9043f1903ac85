//! Entries that are not plain files, or have false headers.

use super::{RawEntry, RawZip, Refused, Row, refused, skill, with};
use crate::outside::harness::extra;

#[test]
fn unreadable_entries_are_refused() {
    let aes = extra(0x9901, &[2, 0, b'A', b'E', 3, 8, 0]);
    let encrypted = "zip_encrypted";
    refused(&[
        Row::bent("encrypted", encrypted, |entry| (entry.flags, entry.local_flags) = (1, 1)),
        Row::bent("strongly encrypted", encrypted, |e| (e.flags, e.local_flags) = (0x41, 0x41)),
        Row::bent("masked", encrypted, |e| (e.flags, e.local_flags) = (1 << 13, 1 << 13)),
        Row::bent("AES", encrypted, |entry| {
            (entry.flags, entry.local_flags, entry.method, entry.local_method) = (1, 1, 99, 99);
            entry.extra.clone_from(&aes);
        }),
        Row::bent("bzip2", "zip_method", |entry| (entry.method, entry.local_method) = (12, 12)),
        Row::bent("deflate64", "zip_method", |entry| (entry.method, entry.local_method) = (9, 9)),
        Row::bent("no such method", "zip_method", |entry| (entry.method, entry.local_method) = (999, 999)),
        Row::bent("a patch", "zip_method", |entry| (entry.flags, entry.local_flags) = (1 << 5, 1 << 5)),
    ]);
}

#[test]
fn entries_that_are_not_files_are_refused() {
    let special = "zip_special_file";
    let linked = |name: &str| RawEntry::stored(name, "").but(|entry| entry.mode = 0o120_777);
    let inside = RawZip::of([
        linked("top/"),
        RawEntry { name: b"top/SKILL.md".to_vec(), local_name: b"top/SKILL.md".to_vec(), ..skill() },
        linked("beside/"),
        linked("top/in/"),
    ]);
    refused(&[
        Row::bent("symlinks", special, |entry| entry.mode = 0o120_777),
        Row::bent("pipes", special, |entry| entry.mode = 0o010_644),
        Row::bent("devices", special, |entry| entry.mode = 0o020_666),
        Row::bent("disks", special, |entry| entry.mode = 0o060_666),
        Row::bent("sockets", special, |entry| entry.mode = 0o140_777),
        Row::bent("folders without a slash", special, |entry| entry.mode = 0o040_755),
        Row::bent("folders of DOS", special, |entry| (entry.system, entry.mode) = (0, 0x10)),
        Row::bent("links of Windows", special, |entry| (entry.system, entry.mode) = (10, 0x420)),
        Row::bent("volume labels", special, |entry| (entry.system, entry.mode) = (0, 0x08)),
        Row::new(
            "folders that are links",
            &inside,
            &[(special, "top"), (special, "beside"), (special, "in")],
        ),
    ]);
}

#[test]
fn entries_with_false_sizes_are_refused() {
    let corrupt = "zip_corrupt";
    let hidden = |name: &str| RawEntry::stored(name, "hidden").but(|entry| (entry.size, entry.crc) = (0, 0));
    refused(&[
        Row::bent("a wrong checksum", corrupt, |entry| entry.crc ^= 1),
        Row::bent("a smaller size", corrupt, |entry| entry.size -= 1),
        Row::bent("a larger size", corrupt, |entry| entry.size += 1),
        Row::bent("damaged data", corrupt, |entry| entry.data[0] = 0xff),
        Row::bent("data after the end of the stream", corrupt, |entry| {
            entry.data.extend(b"hidden");
            entry.packed += 6;
        }),
        Row::bent("a stream cut off", corrupt, |entry| {
            entry.data.pop();
            entry.packed -= 1;
        }),
        Row::new(
            "folders with content",
            &with([RawEntry::stored("a/", "content"), RawEntry::stored("b/", "content")]),
            &[(corrupt, "a"), (corrupt, "b")],
        ),
        Row::new(
            "folders with hidden content",
            &with([hidden("a/"), hidden("b/")]),
            &[(corrupt, "a"), (corrupt, "b")],
        ),
    ]);
}

#[test]
fn all_errors_are_named_at_once() {
    let bad = |name: &str| RawEntry::stored(name, "x");
    let zip = RawZip::of([
        RawEntry::stored("SKILL.md", "no front matter"),
        bad("../a"),
        bad("link").but(|entry| entry.mode = 0o120_777),
        bad("twice"),
        bad("TWICE"),
        bad("wrong").but(|entry| entry.crc = 7),
    ]);
    let entries = [
        ("path_duplicate", "TWICE"),
        ("path_duplicate", "twice"),
        ("path_traversal", "../a"),
        ("zip_special_file", "link"),
    ];
    let contents = [("front_matter_missing", "SKILL.md"), ("zip_corrupt", "wrong")];
    // The files of a broken archive are not read.
    let broken = zip.clone().but(|zip| zip.entries[5].local = Some([1, 1, 1]));
    let all = Row::new("all", &zip, &[&entries[..], &contents].concat());
    refused(&[
        Row { refused: Refused::Strictly, ..all },
        Row::new("a broken frame", &broken, &[&entries[..], &[("zip_header_mismatch", "wrong")]].concat()),
    ]);
}
