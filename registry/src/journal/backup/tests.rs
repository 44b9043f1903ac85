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
fn unpack_of_an_invalid_backup_names_the_fault() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    let digest = Digest::of(b"abc").to_string();
    let elsewhere = format!("blobs/00/{digest}");
    let whole = zip_of(&[(folder::JOURNAL, &[0; 5000])]);
    for (bytes, naming) in [
        (b"text".to_vec(), ""),
        (Vec::new(), ""),
        (whole[..whole.len() - 9].to_vec(), ""),
        (zip_of(&[]), "no journal"),
        (zip_of(&[(&relative_path(Digest::of(b"abc")), b"abc")]), "no journal"),
        (zip_of(&[("../journal.sqlite", b"")]), "not part of a backup"),
        (zip_of(&[("/journal.sqlite", b"")]), "not part of a backup"),
        (zip_of(&[(&elsewhere, b"abc")]), "not part of a backup"),
        (zip_of(&[("local.sqlite", b"")]), "not part of a backup"),
    ] {
        std::fs::write(&file, bytes).unwrap();
        let data = tempfile::tempdir_in(root.path()).unwrap();
        let refused = open(&file).and_then(|zip| unpack(zip, &file, data.path()));
        match refused {
            Err(BackupError::NotABackup { cause, .. }) => {
                assert!(cause.to_string().contains(naming), "{cause}");
            }
            other => panic!("{naming}: {other:?}"),
        }
    }
    let mut changed = whole;
    changed[200] ^= 1;
    std::fs::write(&file, changed).unwrap();
    let data = tempfile::tempdir_in(root.path()).unwrap();
    assert!(open(&file).and_then(|zip| unpack(zip, &file, data.path())).is_err(), "its CRC is wrong");
    assert!(matches!(open(&root.path().join("none")), Err(BackupError::File { .. })));
}

#[test]
fn write_creates_a_file_for_the_owner_alone() {
    let root = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(&root.path().join("data")).unwrap();
    journal.put_blob(b"abc").unwrap();
    let target = root.path().join("backup");
    Snapshot::take(&journal, &target).unwrap().write(&journal, &[Digest::of(b"abc")]).unwrap();
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
    let zip = ZipArchive::new(File::open(&target).unwrap()).unwrap();
    assert_eq!(zip.len(), 2);
}
