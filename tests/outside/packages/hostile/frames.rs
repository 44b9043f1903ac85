//! Archives that two readers would read differently.

use super::{RawEntry, RawZip, Row, refused, skill, with};
use crate::outside::harness::extra;

/// SKILL.md and one more file.
fn plain() -> RawZip {
    with([RawEntry::deflated("a.txt", b"some text, some text, some text")])
}

/// Something is wrong around a plain archive.
fn framed(what: &str, code: &'static str, change: impl FnOnce(&mut RawZip)) -> Row {
    Row::new(what, &plain().but(change), &[(code, "")])
}

#[test]
fn bytes_that_are_not_a_zip_are_refused() {
    let whole = plain().build();
    let tar = [vec![b'x'; 257], b"ustar\0".to_vec(), vec![0; 300]].concat();
    let unreadable = |what: &str, bytes: &[u8], says| {
        Row::of_bytes(what, bytes.to_vec(), &[("zip_unreadable", "")]).says(says)
    };
    let first_part = [b"PK\x07\x08", &whole[..80]].concat();
    refused(&[
        unreadable("empty", b"", "the file is empty"),
        unreadable("a text", b"---\nname: x\n---\n", "not a zip archive"),
        unreadable("a tar.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03 and so on", "gzip"),
        unreadable("a tar", &tar, "tar archive"),
        unreadable("a 7z", b"7z\xbc\xaf\x27\x1c and so on", "of another kind"),
        unreadable("cut in a file", &whole[..60], "cut off"),
        unreadable("cut in the directory", &whole[..whole.len() - 40], "cut off"),
        unreadable("cut in the end record", &whole[..whole.len() - 1], "cut off"),
        Row::of_bytes("the first of several parts", first_part, &[("zip_split", "")]),
    ]);
}

#[test]
fn bytes_around_an_archive_are_refused() {
    let whole = plain().build();
    let two = [whole.clone(), whole.clone()].concat();
    let end_record = [b"PK\x05\x06", &[0; 18][..]].concat();
    refused(&[
        Row::of_bytes("two archives", two, &[("zip_directory_mismatch", "")]).says("two archives"),
        framed("an archive in the comment", "zip_directory_mismatch", |zip| zip.comment = whole),
        framed("an end record in the comment", "zip_directory_mismatch", |zip| zip.comment = end_record),
        framed("junk before", "zip_stray_bytes", |zip| zip.before = b"#!/bin/sh\n".to_vec()),
        framed("junk after", "zip_stray_bytes", |zip| zip.after = b"junk".to_vec()),
        framed("junk before the end record", "zip_directory_mismatch", |zip| zip.between = b"junk".to_vec()),
    ]);
}

#[test]
fn false_end_record_is_refused() {
    let locator = [b"PK\x06\x07", &[0; 16][..]].concat();
    refused(&[
        framed("one entry less", "zip_directory_mismatch", |zip| zip.count = Some(1)),
        framed("one entry more", "zip_directory_mismatch", |zip| zip.count = Some(3)),
        framed("no entries", "zip_directory_mismatch", |zip| zip.count = Some(0)),
        framed("a split archive", "zip_split", |zip| zip.disk = 1),
        framed("a larger directory", "zip_directory_mismatch", |zip| zip.directory_size = Some(1 << 20)),
        framed("a huge offset", "zip_unreadable", |zip| zip.directory_at = Some(u32::MAX - 1)),
        framed("a zip64 locator", "zip_zip64", |zip| zip.between = locator),
    ]);
}

#[test]
fn contradicting_headers_are_refused() {
    let unicode = |name: &[u8]| extra(0x7075, &[&[1, 0, 0, 0, 0], name].concat());
    let zip64 = extra(1, &[5u64.to_le_bytes(), 5u64.to_le_bytes()].concat());
    let mismatch = "zip_header_mismatch";
    let flagged = |name: &str| RawEntry::stored(name, "x").but(|entry| entry.flags |= 1 << 11);
    refused(&[
        Row::bent("another name", mismatch, |entry| entry.local_name = b"evil".to_vec()),
        Row::bent("encrypted only there", mismatch, |entry| entry.local_flags |= 1),
        Row::bent("streamed only there", mismatch, |entry| entry.local_flags |= 8),
        Row::bent("another method", mismatch, |entry| entry.local_method = 0),
        Row::bent("another size", mismatch, |e| e.local = Some([e.crc, e.packed, e.size + 1])),
        Row::bent("another packed size", mismatch, |e| e.local = Some([e.crc, 1, e.size])),
        Row::bent("another checksum", mismatch, |e| e.local = Some([7, e.packed, e.size])),
        Row::bent("no local header there", mismatch, |entry| entry.at = Some(7)),
        Row::bent("an offset past the end", mismatch, |entry| entry.at = Some(u32::MAX - 1)),
        Row::bent("a size past the end", mismatch, |entry| entry.packed = u32::MAX - 1),
        Row::bent("a Unicode path", mismatch, |entry| entry.extra = unicode(b"other")),
        Row::bent("a local Unicode path", mismatch, |entry| entry.local_extra = unicode(b"other")),
        Row::new(
            "names in two character sets",
            &with([flagged("ä.txt"), flagged("ö.txt")]),
            &[(mismatch, "ä.txt"), (mismatch, "ö.txt")],
        ),
        Row::bent("a zip64 field", "zip_zip64", |entry| entry.extra.clone_from(&zip64)),
        Row::bent("in another part", "zip_split", |entry| entry.disk = 1),
        Row::bent("a lying descriptor", mismatch, |entry| {
            *entry = entry.clone().streamed();
            entry.after[9] ^= 1;
        }),
        Row::bent("a short descriptor", "zip_stray_bytes", |entry| {
            *entry = entry.clone().streamed();
            entry.after.truncate(9);
        }),
        Row::bent("no descriptor", "zip_stray_bytes", |entry| {
            *entry = entry.clone().streamed();
            entry.after.clear();
        }),
        Row::bent("bytes between entries", "zip_stray_bytes", |entry| entry.after = b"hidden".to_vec()),
    ]);
}

#[test]
fn overlapping_entries_are_refused() {
    let overlap = "zip_overlap";
    // Where the entry after SKILL.md begins.
    let second = 38 + skill().data.len() as u32;
    let twice = RawEntry::stored("twice", "x");
    let twins = with([twice.clone(), twice.but(|entry| entry.at = Some(second))]);
    // The content of one entry is a whole other entry; the directory names both.
    let inner = RawEntry::stored("inner", "x");
    let content = RawZip::of([inner.clone()]).build()[..36].to_vec();
    let nested = with([RawEntry::stored("outer", content), inner.but(|e| e.at = Some(second + 35))]);
    let reaching = RawEntry::stored("a", "x").but(|entry| (entry.packed, entry.size) = (60, 60));
    // The first two have a last local header that no directory entry names.
    refused(&[
        Row::new(
            "one entry twice",
            &twins,
            &[(overlap, "twice"), ("path_duplicate", "twice"), ("zip_stray_bytes", "twice")],
        ),
        Row::new(
            "one inside another",
            &nested,
            &[(overlap, "inner"), (overlap, "outer"), ("zip_stray_bytes", "inner")],
        ),
        Row::new("into the directory", &with([reaching]), &[(overlap, "a")]),
    ]);
}
