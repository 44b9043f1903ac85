use std::io::Cursor;

use super::*;

fn zip_of(entries: &[(&str, &[u8])]) -> Vec<u8> {
    zip_with(options(0), entries)
}

fn zip_with(options: SimpleFileOptions, entries: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in entries {
        zip.start_file(*name, options).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A zip whose directory names the bytes of one package twice.
fn overlapping() -> Vec<u8> {
    let content = [7; 4000];
    let name = relative_path(Digest::of(&content));
    let zip = zip_of(&[(&name, &content)]);
    let end = zip.len() - 22;
    let directory = u32::from_le_bytes(zip[end + 16..end + 20].try_into().unwrap()) as usize;
    let record = &zip[directory..end];
    let mut bytes = zip[..directory].to_vec();
    bytes.extend(record);
    // The second name is the journal's, in a record of its own length.
    let mut second = record[..46].to_vec();
    second[28..30].copy_from_slice(&(folder::JOURNAL.len() as u16).to_le_bytes());
    let extra = &record[46 + name.len()..];
    second.extend(folder::JOURNAL.as_bytes());
    second.extend(extra);
    bytes.extend(&second);
    let mut last = zip[end..].to_vec();
    for at in [8, 10] {
        last[at..at + 2].copy_from_slice(&2_u16.to_le_bytes());
    }
    let size = u32::try_from(record.len() + second.len()).unwrap();
    last[12..16].copy_from_slice(&size.to_le_bytes());
    bytes.extend(last);
    bytes
}

#[test]
fn unpack_of_an_invalid_backup_names_the_fault() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("file");
    let digest = Digest::of(b"abc").to_string();
    let elsewhere = format!("blobs/00/{digest}");
    let blob = relative_path(Digest::of(b"abc"));
    let deflated = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    let bomb = zip_with(deflated, &[(folder::JOURNAL, &[0; 5_000_000])]);
    let twice = overlapping();
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
        (zip_of(&[(folder::JOURNAL, b"a"), (&blob, b"abd")]), "does not match the digest"),
        (bomb, "is compressed"),
        (twice, "more bytes than"),
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
    let storage = Storage::in_folder(&root.path().join("data")).unwrap();
    storage.blobs.put_blob(b"abc").unwrap();
    let target = root.path().join("backup");
    Snapshot::take(&storage, &target).unwrap().write(&storage, &[Digest::of(b"abc")]).unwrap();
    assert_eq!(target.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
    let zip = ZipArchive::new(File::open(&target).unwrap()).unwrap();
    assert_eq!(zip.len(), 2);
}
