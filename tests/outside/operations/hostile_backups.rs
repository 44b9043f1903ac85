//! Restores of backups that somebody has changed.

use std::io::{Cursor, Read, Write};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::harness::{Registry, Skill, sha256, tree};

/// A stopped registry, and the files of its backup.
fn backed_up() -> (Registry, Vec<(String, Vec<u8>)>) {
    let mut registry = Registry::start();
    registry.publish(Skill::named("hello")).by(&registry.admin()).expect(201);
    registry.stop();
    registry.command(["journal", "backup", "backup.zip"]).ok();
    let bytes = std::fs::read(registry.folder().join("backup.zip")).unwrap();
    let mut zip = ZipArchive::new(Cursor::new(bytes)).unwrap();
    let mut files = Vec::new();
    for index in 0..zip.len() {
        let mut entry = zip.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        files.push((entry.name().unwrap().into_owned(), content));
    }
    (registry, files)
}

fn zip_of(files: &[(String, Vec<u8>)], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        zip.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn blob(content: &[u8]) -> String {
    let name = sha256(content);
    format!("blobs/{}/{name}", &name[..2])
}

#[test]
fn changed_backup_is_refused_and_replaces_nothing() {
    let (registry, files) = backed_up();
    let before = tree::files(&registry.data());
    let with = |name: &str, content: &[u8]| {
        let mut files = files.clone();
        files.retain(|(known, _)| known != name);
        files.push((name.to_owned(), content.to_vec()));
        files
    };
    let unnamed = blob(b"unnamed");
    for (files, method, why) in [
        (with(&unnamed, &vec![0; 50_000_000]), CompressionMethod::Deflated, "is compressed"),
        (with(&unnamed, b"changed"), CompressionMethod::Stored, "does not match the digest"),
        (with("local.jsonl", b"{}\n"), CompressionMethod::Stored, "line 1"),
        (with("local.sqlite", b""), CompressionMethod::Stored, "is not part of a backup"),
        (with("journal.sqlite-wal", b""), CompressionMethod::Stored, "is not part of a backup"),
    ] {
        registry.write("bad.zip", &zip_of(&files, method));
        // The registry's own local data would stay, so the lines are read elsewhere.
        let elsewhere = Registry::not_started();
        let file = registry.folder().join("bad.zip");
        let refused = elsewhere.command(["journal", "restore", file.to_str().unwrap()]);
        assert!(refused.code == 1 && refused.stderr.contains(why), "{why}: {refused:?}");
        assert!(!elsewhere.data().exists(), "nothing is left: {why}");
        if why != "line 1" {
            assert_eq!(registry.command(["journal", "restore", "bad.zip"]).code, 1, "{why}");
        }
    }
    assert_eq!(tree::files(&registry.data()), before);
    registry.command(["journal", "check"]).ok();
}

#[test]
fn packages_that_no_row_names_are_left_out() {
    let (registry, mut files) = backed_up();
    let unnamed = blob(b"unnamed");
    files.push((unnamed.clone(), b"unnamed".to_vec()));
    registry.write("more.zip", &zip_of(&files, CompressionMethod::Stored));
    registry.command(["journal", "restore", "more.zip"]).ok();
    assert!(!registry.data().join(unnamed).exists());
    registry.command(["journal", "check"]).ok();
}
