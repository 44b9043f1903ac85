//! Unpacking without checks of contents.

use super::super::{Limits, Package, Strictness, Unpacked, finding_codes};
use super::zip_builder::{Entry, Zip};
use super::{SKILL, codes, options};

fn unpack(entries: Vec<Entry>) -> Result<Unpacked, Vec<String>> {
    let unpacked = Unpacked::from_zip(&Zip::of(entries).build(), &Limits::default());
    unpacked.map_err(|refusal| codes(&refusal.findings).into_iter().map(str::to_owned).collect())
}

#[test]
fn unpacked_files_and_digest_are_those_of_the_package() {
    let run = Entry { mode: 0o100_755, ..Entry::deflated("b/run.sh", b"#!/bin/sh\n") };
    let entries = vec![run, Entry::stored("SKILL.md", SKILL)];
    let package = Package::from_zip(&Zip::of(entries.clone()).build(), &options(Strictness::Strict)).unwrap();
    let unpacked = unpack(entries).unwrap();
    assert_eq!(unpacked.content_digest, package.content_digest);
    let archive = package.archive().unwrap();
    let again = Unpacked::from_zip(&archive, &Limits::default()).unwrap();
    assert_eq!(again.content_digest, package.content_digest);
    let files: Vec<_> = again.files.iter().map(|f| (f.path.as_str(), f.executable, f.sha256)).collect();
    let records: Vec<_> = package.files.iter().map(|f| (f.path.as_str(), f.executable, f.sha256)).collect();
    assert_eq!(files, records);
    assert_eq!(again.files[1].content, b"#!/bin/sh\n");
}

#[test]
fn contents_are_not_checked() {
    let key = ["-----BEGIN ", "PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n"].concat();
    for entry in [Entry::stored("SKILL.md", "no front matter"), Entry::stored("key.pem", key)] {
        let zip = Zip::of(vec![entry.clone()]).build();
        assert!(Package::from_zip(&zip, &options(Strictness::Strict)).is_err());
        unpack(vec![entry]).unwrap();
    }
}

#[test]
fn archive_without_files_is_refused() {
    let folder = Entry { mode: 0o040_755, ..Entry::stored("a/", "") };
    for entries in [Vec::new(), vec![folder]] {
        assert_eq!(unpack(entries).err().unwrap(), [finding_codes::SKILL_MD_MISSING]);
    }
}
