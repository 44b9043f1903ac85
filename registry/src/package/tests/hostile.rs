//! Hostile archives, each refused for its own reason.

use proptest::prelude::*;

use super::super::{Limits, Package, ReadOptions, Refusal, Strictness, Unpacked, finding_codes};
use super::zip_builder::{Entry, Zip};
use super::{SKILL, codes, options};

fn open(zip: &[u8]) -> Result<Package, Refusal> {
    Package::from_zip(zip, &options(Strictness::Strict))
}

fn unpack(zip: &[u8]) -> Result<Unpacked, Refusal> {
    Unpacked::from_zip(zip, &Limits::default())
}

/// SKILL.md and another entry.
fn with(entry: Entry) -> Zip {
    Zip::of(vec![Entry::deflated("SKILL.md", SKILL.as_bytes()), entry])
}

fn plain() -> Entry {
    Entry::deflated("a.txt", b"some text, some text, some text")
}

/// The codes of the refusal. [`Unpacked`] must refuse for the same reasons.
fn refused(zip: &[u8]) -> Vec<String> {
    let refusal = open(zip).unwrap_err();
    assert_eq!(unpack(zip).err().as_ref(), Some(&refusal));
    codes(&refusal.findings).into_iter().map(str::to_owned).collect()
}

#[test]
fn common_archive_is_read() {
    let stored = Entry::stored("b/run.sh", "#!/bin/sh\n");
    let run = Entry { mode: 0o100_755, ..stored.clone() };
    let dos = Entry { system: 0, mode: 0x20, ..Entry::stored("dos.txt", "x") };
    let folder = Entry { mode: 0o040_755, ..Entry::stored("b/", "") };
    let utf8 = Entry { flags: 1 << 11, local_flags: 1 << 11, ..Entry::stored("ü.md", "") };
    for entry in [plain(), stored, run, dos, folder, utf8, Entry::stored("日本", "")] {
        open(&with(entry.clone()).build()).unwrap();
        open(&with(entry.clone().streamed(true)).build()).unwrap();
        open(&with(entry.streamed(false)).build()).unwrap();
    }
    let comment = Zip { comment: b"made by hand".to_vec(), ..with(plain()) };
    let package = open(&comment.build()).unwrap();
    assert_eq!(package.read("a.txt"), Some(&b"some text, some text, some text"[..]));
}

#[test]
fn archive_with_wrong_structure_is_refused() {
    let prefixed = |relative| Zip { before: b"#!/bin/sh\n".to_vec(), relative, ..with(plain()) };
    let two = [with(plain()).build(), with(plain()).build()].concat();
    let inside = Zip { comment: with(plain()).build(), ..with(plain()) };
    let unicode_path = [&[0x75, 0x70, 10, 0, 1, 0, 0, 0, 0][..], b"other"].concat();
    for (zip, code) in [
        (b"no zip".to_vec(), finding_codes::ZIP_UNREADABLE),
        (Vec::new(), finding_codes::ZIP_UNREADABLE),
        (with(plain()).build()[..60].to_vec(), finding_codes::ZIP_UNREADABLE),
        (Zip { count_off: -1, ..with(plain()) }.build(), finding_codes::ZIP_DIRECTORY_MISMATCH),
        (Zip { count_off: 1, ..with(plain()) }.build(), finding_codes::ZIP_DIRECTORY_MISMATCH),
        (Zip { disk: 1, ..with(plain()) }.build(), finding_codes::ZIP_SPLIT),
        (with(Entry { disk: 1, ..plain() }).build(), finding_codes::ZIP_SPLIT),
        (Zip { after: b"junk".to_vec(), ..with(plain()) }.build(), finding_codes::ZIP_STRAY_BYTES),
        (prefixed(false).build(), finding_codes::ZIP_STRAY_BYTES),
        (prefixed(true).build(), finding_codes::ZIP_DIRECTORY_MISMATCH),
        (two, finding_codes::ZIP_DIRECTORY_MISMATCH),
        (inside.build(), finding_codes::ZIP_DIRECTORY_MISMATCH),
        (with(Entry { after: b"gap".to_vec(), ..plain() }).build(), finding_codes::ZIP_STRAY_BYTES),
        (
            with(Entry { local_name: b"b.txt".to_vec(), ..plain() }).build(),
            finding_codes::ZIP_HEADER_MISMATCH,
        ),
        (with(Entry { local: Some([0, 1, 2]), ..plain() }).build(), finding_codes::ZIP_HEADER_MISMATCH),
        (with(Entry { local_flags: 1, ..plain() }).build(), finding_codes::ZIP_HEADER_MISMATCH),
        (with(Entry { extra: unicode_path, ..plain() }).build(), finding_codes::ZIP_HEADER_MISMATCH),
    ] {
        let got = refused(&zip);
        assert!(got.iter().any(|got| got == code), "{code}: {got:?}");
    }
    let mut lying = plain().streamed(true);
    lying.after[5] ^= 1;
    assert_eq!(refused(&with(lying).build()), [finding_codes::ZIP_HEADER_MISMATCH]);
}

#[test]
fn archive_with_overlapping_entries_is_refused() {
    let zip = with(plain()).build();
    // Point the second central header at the first entry.
    let second = zip.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    let mut overlap = zip;
    overlap[second + 42..second + 46].fill(0);
    assert!(
        refused(&overlap)
            .iter()
            .any(|c| c == finding_codes::ZIP_HEADER_MISMATCH || c == finding_codes::ZIP_OVERLAP)
    );
    // The data of an entry include the next one, as in an overlapping zip bomb.
    let inner = Zip::of(vec![plain()]).build();
    let length = 30 + 5 + plain().data.len();
    let mut outer = Entry::stored("big", &inner[..length]);
    outer.after.clear();
    let mut zip = Zip::of(vec![outer.clone()]).build();
    let directory = zip.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    let mut header = Zip::of(vec![plain()]).build();
    let from = header.windows(4).position(|w| w == b"PK\x01\x02").unwrap();
    header.truncate(from + 46 + 5);
    header[from + 42] = 30 + 3;
    let end = zip.len() - 22;
    zip.splice(end..end, header[from..].iter().copied());
    let end = zip.len() - 22;
    let size = (end - directory) as u32;
    zip[end + 8..end + 12].copy_from_slice(&[2, 0, 2, 0]);
    zip[end + 12..end + 16].copy_from_slice(&size.to_le_bytes());
    assert!(refused(&zip).iter().any(|c| c == finding_codes::ZIP_OVERLAP), "{:?}", refused(&zip));
}

#[test]
fn special_entry_is_refused() {
    let damaged = {
        let mut entry = plain();
        entry.data[3] ^= 0xff;
        entry
    };
    let mut longer = plain();
    longer.data.extend(b"more");
    let mut cut = plain();
    cut.data.truncate(cut.data.len() - 1);
    for (entry, code) in [
        (Entry { flags: 1, local_flags: 1, ..plain() }, finding_codes::ZIP_ENCRYPTED),
        (Entry { method: 12, ..plain() }, finding_codes::ZIP_METHOD),
        (Entry { method: 99, ..plain() }, finding_codes::ZIP_METHOD),
        (Entry { mode: 0o120_777, ..Entry::stored("link", "/etc/passwd") }, finding_codes::ZIP_SPECIAL_FILE),
        (Entry { mode: 0o010_644, ..plain() }, finding_codes::ZIP_SPECIAL_FILE),
        (Entry { mode: 0o040_755, ..plain() }, finding_codes::ZIP_SPECIAL_FILE),
        (Entry { mode: 0o120_777, ..Entry::stored("link/", "") }, finding_codes::ZIP_SPECIAL_FILE),
        (Entry { system: 0, mode: 0x10, ..plain() }, finding_codes::ZIP_SPECIAL_FILE),
        (Entry::stored("folder/", "content"), finding_codes::ZIP_CORRUPT),
        (Entry { crc: 1, ..plain() }, finding_codes::ZIP_CORRUPT),
        (Entry { size: 3, ..plain() }, finding_codes::ZIP_CORRUPT),
        (Entry { size: 300, ..plain() }, finding_codes::ZIP_CORRUPT),
        (damaged, finding_codes::ZIP_CORRUPT),
        (longer, finding_codes::ZIP_CORRUPT),
        (cut, finding_codes::ZIP_CORRUPT),
        (Entry::stored(b"\xff.md", "x"), finding_codes::PATH_NOT_UTF8),
        (Entry::stored("../a", "x"), finding_codes::PATH_TRAVERSAL),
        (Entry::stored("/", ""), finding_codes::PATH_EMPTY),
        (Entry::stored("x/../", ""), finding_codes::PATH_TRAVERSAL),
        (Entry::stored("skill.MD", "x"), finding_codes::PATH_DUPLICATE),
        (Entry::stored("SKILL.md/x", "x"), finding_codes::PATH_FILE_AND_FOLDER),
    ] {
        let got = refused(&with(entry.clone()).build());
        assert!(got.iter().any(|got| got == code), "{code}: {got:?}");
    }
}

#[test]
fn refusal_names_all_invalid_entries() {
    let zip = Zip::of(vec![
        Entry::stored("SKILL.md", "no front matter"),
        Entry::stored("../a", "x"),
        Entry::stored("con.txt", "x"),
        Entry { mode: 0o120_777, ..Entry::stored("link", "x") },
        Entry::stored("B", "x"),
        Entry::stored("b", "x"),
        Entry { crc: 7, ..plain() },
    ]);
    let refusal = open(&zip.build()).unwrap_err();
    let paths: Vec<_> = refusal.findings.iter().filter_map(|f| f.path.as_deref()).collect();
    assert_eq!(paths, ["../a", "B", "SKILL.md", "a.txt", "b", "con.txt", "link"]);
}

#[test]
fn link_in_junk_is_accepted() {
    let link = Entry { mode: 0o120_777, ..Entry::stored("node_modules/.bin/x", "../x") };
    let package = open(&with(link).build()).unwrap();
    assert_eq!(codes(&package.warnings), [finding_codes::JUNK_DROPPED]);
}

#[test]
fn archive_over_a_limit_is_refused() {
    let limits = Limits { unpacked: 5 << 20, file: 2 << 20, files: 3, ..Limits::default() };
    let options = ReadOptions {
        source_name: None,
        strictness: Strictness::Strict,
        limits: &limits,
        allowed_files: &[],
    };
    let open = |entries: Vec<Entry>| {
        let mut all = vec![Entry::deflated("SKILL.md", SKILL.as_bytes())];
        all.extend(entries);
        let refusal = Package::from_zip(&Zip::of(all).build(), &options).unwrap_err();
        let at: Vec<_> = refusal.findings.into_iter().map(|f| (f.code, f.path)).collect();
        at
    };
    let noise = |n: usize| -> Vec<u8> {
        (0..n as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
    };
    let found = |code: &str, path: Option<&str>| vec![(code.to_owned(), path.map(str::to_owned))];
    let bomb = Entry::deflated("bomb", &vec![0; 9 << 20]);
    assert_eq!(open(vec![bomb.clone()]), found(finding_codes::RATIO_TOO_HIGH, Some("bomb")));
    // A claim that is too small is noticed while unpacking.
    assert_eq!(
        open(vec![Entry { size: 10, ..bomb.clone() }]),
        found(finding_codes::ZIP_CORRUPT, Some("bomb"))
    );
    let small = ["a", "b", "c"].map(|name| Entry::deflated(name, &vec![0; 1 << 20])).to_vec();
    assert_eq!(open(small[..2].to_vec()), found(finding_codes::RATIO_TOO_HIGH, None));
    let filler = Entry::stored("noise", noise(1 << 19));
    assert_eq!(open(vec![bomb, filler]), found(finding_codes::RATIO_TOO_HIGH, Some("bomb")));
    assert_eq!(
        open(vec![Entry::stored("a", noise((2 << 20) + 1))]),
        found(finding_codes::FILE_TOO_LARGE, Some("a"))
    );
    let big = noise(2 << 20);
    let three = ["a", "b", "c"].map(|name| Entry::stored(name, &big)).to_vec();
    let got = open(three);
    assert!(got.contains(&(finding_codes::TOO_MANY_FILES.to_owned(), None)), "{got:?}");
    let limits = Limits { files: 9, ..limits.clone() };
    let options = ReadOptions { limits: &limits, ..options };
    let mut all = vec![Entry::stored("SKILL.md", SKILL)];
    all.extend(["a", "b", "c"].map(|name| Entry::stored(name, &big)));
    let refusal = Package::from_zip(&Zip::of(all).build(), &options).unwrap_err();
    assert_eq!(codes(&refusal.findings), [finding_codes::PACKAGE_TOO_LARGE]);
}

#[test]
fn litter_of_an_older_archive_is_unpacked_but_not_published() {
    let zip = with(Entry::stored("scripts/__pycache__/a.pyc", "compiled")).build();
    let package = open(&zip).unwrap();
    assert_eq!(package.files.len(), 1);
    assert_eq!(codes(&package.warnings), [finding_codes::JUNK_DROPPED, finding_codes::COMPILED_PYTHON]);
    // Its digest counts every file of the archive.
    let unpacked = unpack(&zip).unwrap();
    assert_eq!(unpacked.files.len(), 2);
    assert_ne!(unpacked.content_digest, package.content_digest);
}

#[test]
fn zip_with_invalid_names_has_one_true_error_with_another_way() {
    for (names, code, count) in [
        (&["x\\SKILL.md", "x\\a\\b.py", "x\\c"][..], finding_codes::PATH_BACKSLASH, 1),
        (&["SKILL.md", "a\\b.py"], finding_codes::PATH_BACKSLASH, 1),
        (&["/x/SKILL.md"], finding_codes::PATH_ABSOLUTE, 1),
        (&["../x/SKILL.md"], finding_codes::PATH_TRAVERSAL, 1),
        (&["C:/x/SKILL.md"], finding_codes::PATH_DRIVE_LETTER, 1),
        (&["C:\\x\\SKILL.md", "C:\\x\\a"], finding_codes::PATH_BACKSLASH, 1),
    ] {
        let entries = names.iter().map(|name| Entry::stored(name, SKILL)).collect();
        let zip = Zip::of(entries).build();
        assert_eq!(refused(&zip), vec![code; count], "{names:?}");
        let why = open(&zip).unwrap_err().to_string();
        assert!(why.contains("skillmirror publish FOLDER") && why.contains("zip -r"), "{why}");
        assert!(!why.contains("no SKILL.md"), "{why}");
    }
}

proptest! {
    #[test]
    fn damage_never_panics(at in 0usize..400, bit in 0u8..8, cut in 0usize..400) {
        let mut zip = with(plain().streamed(true)).build();
        let length = zip.len();
        zip[at % length] ^= 1 << bit;
        let _ = (open(&zip), unpack(&zip));
        let _ = open(&zip[..cut % length]);
        let _ = open(&zip[cut % length..]);
    }

    #[test]
    fn noise_never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = open(&bytes);
        let _ = open(&[b"PK\x05\x06", &bytes[..]].concat());
    }
}
