use std::io::Cursor;

use super::*;

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, options(0)).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn what_is_no_backup_is_told_from_one() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    let digest = Digest::of(b"abc").to_string();
    let elsewhere = format!("blobs/00/{digest}");
    let whole = zip_of(&[(layout::FILE, &[0; 5000])]);
    for (bytes, naming) in [
        (b"text".to_vec(), ""),
        (Vec::new(), ""),
        (whole[..whole.len() - 9].to_vec(), ""),
        (zip_of(&[]), "no journal"),
        (zip_of(&[(&relative_path(Digest::of(b"abc")), b"abc")]), "no journal"),
        (zip_of(&[("../journal.sqlite", b"")]), "none of its files"),
        (zip_of(&[("/journal.sqlite", b"")]), "none of its files"),
        (zip_of(&[(&elsewhere, b"abc")]), "none of its files"),
        (zip_of(&[("local.sqlite", b"")]), "none of its files"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let data = tempfile::tempdir_in(root.path()).unwrap();
        let refused = BackupFile::open(&file).and_then(|backup| backup.unpack(data.path()));
        match refused {
            Err(BackupError::NotABackup(_, why)) => assert!(why.contains(naming), "{why}"),
            other => panic!("{naming}: {other:?}"),
        }
    }
    let mut changed = whole;
    changed[200] ^= 1;
    std::fs::write(&file, changed).unwrap();
    let data = tempfile::tempdir_in(root.path()).unwrap();
    assert!(
        BackupFile::open(&file).and_then(|backup| backup.unpack(data.path())).is_err(),
        "its CRC is wrong"
    );
    assert!(matches!(BackupFile::open(&root.path().join("none")), Err(BackupError::File(..))));
}

#[test]
fn a_backup_is_its_owners_alone() {
    let root = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(&root.path().join("data")).unwrap();
    journal.put_blob(b"abc").unwrap();
    let target = root.path().join("backup");
    Snapshot::take(&journal, &target).unwrap().write(&journal, &[Digest::of(b"abc")]).unwrap();
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
    let zip = ZipArchive::new(File::open(&target).unwrap()).unwrap();
    assert_eq!(zip.len(), 2);
}
