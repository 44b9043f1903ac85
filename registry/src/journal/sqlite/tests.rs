//! Cases that only the journal on a disk can meet. The others are in `contract`.

use std::path::Path;
use std::time::Duration;

use rusqlite::Connection;

use super::SqliteJournal;
use crate::journal::{BlobFolder, Blobs, Journal, JournalError, PublicRow, PublicRows, Row};
use crate::time::Timestamp;

fn row(revision: u64) -> Row {
    let at = Timestamp::from_unix(1_769_860_800).unwrap();
    Row {
        revision,
        at,
        private: format!(r#"{{"n":{revision}}}"#),
        public: Some(PublicRow::new(revision, "{}".into())),
    }
}

/// A data folder with `rows` rows, closed.
fn folder_with(rows: u64) -> tempfile::TempDir {
    let data = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(data.path()).unwrap();
    for revision in 1..=rows {
        journal.append(&row(revision)).unwrap();
    }
    data
}

fn raw(data: &Path) -> Connection {
    Connection::open(data.join("journal.sqlite")).unwrap()
}

/// Opens the journal and reads all rows.
fn read_all(data: &Path) -> Result<Vec<Row>, JournalError> {
    SqliteJournal::open(data)?.since(0, usize::MAX)
}

#[track_caller]
fn assert_damaged(data: &Path, naming: &str) {
    match read_all(data) {
        Err(JournalError::Damaged(cause)) => {
            let text = cause.to_string();
            assert!(text.contains(naming), "{text}");
            assert!(text.contains("backup") || text.contains("release"), "says what to do: {text}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn reopen_returns_all_rows() {
    let data = folder_with(3);
    assert_eq!(read_all(data.path()).unwrap(), [row(1), row(2), row(3)]);
}

#[test]
fn append_is_visible_to_other_processes() {
    let data = tempfile::tempdir().unwrap();
    let here = SqliteJournal::open(data.path()).unwrap();
    let there = SqliteJournal::open(data.path()).unwrap();
    assert_eq!(there.head().unwrap(), 0);
    for revision in 1..=3 {
        here.append(&row(revision)).unwrap();
        assert_eq!(there.head().unwrap(), revision);
        assert_eq!(there.public_since(revision - 1, 9).unwrap().len(), 1);
    }
    there.append(&row(4)).unwrap();
    assert_eq!(here.since(3, 9).unwrap(), [row(4)]);
}

#[test]
fn open_of_a_new_folder_by_many_creates_one_journal() {
    let data = tempfile::tempdir().unwrap();
    let folder = data.path().join("new/data");
    let open = || SqliteJournal::open(&folder).unwrap().epoch().unwrap();
    let epochs: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert!(epochs.iter().all(|epoch| *epoch == epochs[0]));
}

#[test]
fn open_of_a_truncated_or_overwritten_file_is_damaged() {
    let whole = folder_with(200);
    let bytes = std::fs::read(whole.path().join("journal.sqlite")).unwrap();
    let mut scribbled = bytes.clone();
    scribbled[..16].fill(b'x');
    let mut holed = bytes.clone();
    holed[4096..].fill(0);
    let half = bytes[..bytes.len() / 2].to_vec();
    for changed in [half, bytes[..700].to_vec(), Vec::new(), scribbled, holed, b"not a database".to_vec()] {
        let data = tempfile::tempdir().unwrap();
        std::fs::write(data.path().join("journal.sqlite"), changed).unwrap();
        assert_damaged(data.path(), "");
    }
}

#[test]
fn read_of_a_changed_row_names_it() {
    for change in [
        r#"UPDATE rows SET private = '{"n":9}' WHERE revision = 2"#,
        "UPDATE rows SET public = NULL WHERE revision = 2",
        "UPDATE rows SET at = at + 1 WHERE revision = 2",
        "UPDATE rows SET at = 1 << 60 WHERE revision = 2",
        "UPDATE rows SET chain = zeroblob(32) WHERE revision = 2",
        "UPDATE rows SET private = CAST(x'ff' AS TEXT) WHERE revision = 2",
        "DELETE FROM rows WHERE revision = 2",
    ] {
        let data = folder_with(3);
        raw(data.path()).execute_batch(change).unwrap();
        assert_damaged(data.path(), "row 2");
        let journal = SqliteJournal::open(data.path()).unwrap();
        assert_eq!(journal.since(0, 1).unwrap(), [row(1)], "earlier rows can still be read");
    }
}

#[test]
fn read_after_a_deleted_row_is_damaged() {
    let data = folder_with(3);
    raw(data.path()).execute_batch("DELETE FROM rows WHERE revision = 1").unwrap();
    let journal = SqliteJournal::open(data.path()).unwrap();
    let error = crate::with_causes(&journal.since(1, 9).unwrap_err());
    assert!(error.contains("row 1 is missing"), "{error}");
}

#[test]
fn open_of_an_unknown_layout_is_refused() {
    for (change, naming) in [
        ("UPDATE meta SET value = '3' WHERE key = 'format'", "format `3`"),
        ("DELETE FROM meta WHERE key = 'format'", "no format number"),
        ("UPDATE meta SET value = 'x' WHERE key = 'epoch'", "no epoch"),
        ("DROP TABLE meta", "its tables are not those"),
        ("DROP TABLE rows", "table `rows` is missing"),
    ] {
        let data = folder_with(1);
        raw(data.path()).execute_batch(change).unwrap();
        assert_damaged(data.path(), naming);
    }
}

#[test]
fn open_of_a_lost_journal_is_refused() {
    let data = folder_with(0);
    BlobFolder::open(data.path()).unwrap().put_blob(b"abc").unwrap();
    std::fs::remove_file(data.path().join("journal.sqlite")).unwrap();
    assert_damaged(data.path(), "`blobs` exists");
    std::fs::write(data.path().join("journal.sqlite-wal"), "").unwrap();
    assert_damaged(data.path(), "`journal.sqlite-wal` exists");
}

#[test]
fn open_of_an_unreachable_folder_is_a_storage_error() {
    let root = tempfile::tempdir().unwrap();
    std::fs::write(root.path().join("file"), "").unwrap();
    std::fs::create_dir_all(root.path().join("folder/journal.sqlite")).unwrap();
    for data in ["file", "file/below", "folder"] {
        let error = SqliteJournal::open(&root.path().join(data)).unwrap_err();
        assert!(matches!(error, JournalError::Storage(_)), "{error}");
    }
}

#[test]
fn append_while_locked_is_a_storage_error_and_reads_succeed() {
    let data = folder_with(1);
    let journal = SqliteJournal::open_with(data.path(), Duration::ZERO).unwrap();
    let other = raw(data.path());
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert!(matches!(journal.append(&row(2)), Err(JournalError::Storage(_))));
    assert_eq!(journal.since(0, 9).unwrap(), [row(1)]);
    other.execute_batch("ROLLBACK").unwrap();
    journal.append(&row(2)).unwrap();
}

#[test]
fn append_to_a_full_disk_is_a_storage_error_and_adds_no_row() {
    let data = folder_with(1);
    let journal = SqliteJournal::open(data.path()).unwrap();
    journal.writer.lock().pragma_update(None, "max_page_count", 1).unwrap();
    let large = Row { private: "x".repeat(100_000), ..row(2) };
    assert!(matches!(journal.append(&large), Err(JournalError::Storage(_))));
    assert_eq!(journal.head().unwrap(), 1);
    journal.append(&row(2)).unwrap();
}

#[test]
fn database_is_for_the_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let data = tempfile::tempdir().unwrap();
    let journal = SqliteJournal::open(data.path()).unwrap();
    journal.append(&row(1)).unwrap();
    for name in ["journal.sqlite", "journal.sqlite-wal"] {
        let mode = data.path().join(name).metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o7777, 0o600, "{name}");
    }
    let names: Vec<_> = data.path().read_dir().unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "the database, its log and index, the lock, no leftovers: {names:?}");
}

#[test]
fn returned_rows_are_durable() {
    let data = tempfile::tempdir().unwrap();
    let here = SqliteJournal::open(data.path()).unwrap();
    let there = SqliteJournal::open(data.path()).unwrap();
    let mut revision = 0;
    let mut append = || {
        revision += 1;
        here.append(&row(revision)).unwrap();
    };
    let durable = || (here.log.durable(), there.log.durable());
    append();
    append();
    assert_eq!((here.head().unwrap(), durable()), (2, (0, 0)));
    here.make_durable(1).unwrap();
    assert_eq!(durable(), (2, 0), "the sync was for all rows");
    assert_eq!(there.since(0, 1).unwrap(), [row(1)]);
    assert_eq!(durable(), (2, 2));
    append();
    there.public_since(2, 1).unwrap();
    assert_eq!(durable(), (2, 3));
    append();
    there.public_row(4).unwrap();
    assert_eq!(durable(), (2, 4));
    append();
    here.freeze(5, &mut || Ok(())).unwrap();
    assert_eq!(durable(), (5, 4));
    append();
    here.snapshot(tempfile::tempdir().unwrap().path()).unwrap();
    assert_eq!(durable(), (6, 4));
}
