use super::*;
use crate::journal::{BlobSource, Journal, PublicRows, Row, Snapshot};

/// A backup with one row.
fn backup(root: &Path) -> PathBuf {
    let storage = Storage::in_folder(&root.join("source")).unwrap();
    let row = Row { revision: 1, at: Timestamp::now(), private: "{}".into(), public: None };
    storage.journal.append(&row).unwrap();
    let target = root.join("backup");
    Snapshot::take(&storage, &target).unwrap().write(&storage, &[]).unwrap();
    target
}

fn next_row() -> Row {
    Row { revision: 9, at: Timestamp::now(), private: "{}".into(), public: None }
}

fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        folder.read_dir().unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn drop_before_finish_changes_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    let epoch = SqliteJournal::open(&data).unwrap().epoch().unwrap();
    let pending = PendingRestore::begin(&data, &file).unwrap();
    assert_eq!(pending.open().unwrap().journal.head().unwrap(), 1);
    assert!(matches!(SqliteJournal::open(&data), Err(JournalError::Storage(_))), "the lock is exclusive");
    drop(pending);
    assert_eq!(SqliteJournal::open(&data).unwrap().epoch().unwrap(), epoch);
    assert_eq!(names_in(&data), ["journal.sqlite", "lock"]);
}

#[test]
fn interrupted_restore_refuses_an_empty_history() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    // The state after a kill between the last two moves.
    folder::make(&data.join(RESTORING)).unwrap();
    for _ in 0..2 {
        let refused = crate::with_causes(&SqliteJournal::open(&data).unwrap_err());
        assert!(refused.contains("journal restore FILE"), "{refused}");
        // Another restore that is given up changes nothing.
        drop(PendingRestore::begin(&data, &file).unwrap());
    }
    let restored = PendingRestore::begin(&data, &file).unwrap().finish(&next_row()).unwrap();
    assert_eq!(restored.replaced, None);
    let journal = SqliteJournal::open(&data).unwrap();
    assert_eq!((journal.head().unwrap(), journal.epoch().unwrap()), (9, restored.epoch));
}

#[test]
fn finish_moves_the_log_of_a_killed_server_away() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    drop(Storage::in_folder(&data).unwrap());
    std::fs::write(data.join("journal.sqlite-wal"), "").unwrap();
    let pending = PendingRestore::begin(&data, &file).unwrap();
    drop(pending.open().unwrap());
    let replaced = pending.finish(&next_row()).unwrap().replaced.unwrap();
    assert_eq!(names_in(&replaced), ["blobs", "journal.sqlite", "journal.sqlite-wal"]);
    assert_eq!(names_in(&data).len(), 4, "blobs, journal, lock, replaced files");
}

#[test]
fn begin_with_a_foreign_schema_is_refused_by_name() {
    let root = tempfile::tempdir().unwrap();
    for (number, (sql, named)) in [
        ("CREATE TRIGGER quiet AFTER INSERT ON rows BEGIN DELETE FROM meta; END", "trigger `quiet`"),
        ("CREATE VIEW shown AS SELECT 1", "view `shown`"),
        ("CREATE TABLE more(x)", "table `more`"),
        ("CREATE INDEX rows_at ON rows(at)", "index `rows_at`"),
        ("DROP TABLE rows; CREATE VIEW rows AS SELECT 1", "view `rows`"),
        ("ALTER TABLE rows ADD COLUMN x TEXT", "table `rows` is not the one"),
        ("DROP INDEX public_rows", "index `public_rows` is missing"),
    ]
    .into_iter()
    .enumerate()
    {
        let root = root.path().join(number.to_string());
        folder::make(&root).unwrap();
        let storage = Storage::in_folder(&root.join("source")).unwrap();
        let snapshot = Snapshot::take(&storage, &root.join("backup")).unwrap();
        rusqlite::Connection::open(snapshot.staged_journal()).unwrap().execute_batch(sql).unwrap();
        snapshot.write(&storage, &[]).unwrap();
        let refused = PendingRestore::begin(&root.join("data"), &root.join("backup")).unwrap_err();
        assert!(matches!(&refused, BackupError::NotABackup { .. }), "{refused}");
        assert!(crate::with_causes(&refused).contains(named), "{named}: {refused}");
        // A copied data folder is refused too.
        drop(storage);
        let changed = rusqlite::Connection::open(root.join("source").join(JOURNAL)).unwrap();
        changed.execute_batch(sql).unwrap();
        drop(changed);
        let refused = crate::with_causes(&SqliteJournal::open(&root.join("source")).unwrap_err());
        assert!(refused.contains(named), "{named}: {refused}");
    }
}

#[test]
fn remove_unnamed_keeps_named_packages_only() {
    let root = tempfile::tempdir().unwrap();
    let storage = Storage::in_folder(&root.path().join("source")).unwrap();
    let [named, unnamed] = ["named", "unnamed"].map(|text| storage.blobs.put_blob(text.as_bytes()).unwrap());
    let file = root.path().join("backup");
    Snapshot::take(&storage, &file).unwrap().write(&storage, &[named, unnamed]).unwrap();
    let pending = PendingRestore::begin(&root.path().join("data"), &file).unwrap();
    pending.remove_unnamed(&HashSet::from([named])).unwrap();
    let unpacked = pending.open().unwrap();
    assert!(unpacked.open_blob(named).unwrap().is_some());
    assert!(unpacked.open_blob(unnamed).unwrap().is_none());
}
