use super::*;
use crate::journal::{Journal, PublicStore, Row, Snapshot};

/// A backup with one row.
fn backup(root: &Path) -> PathBuf {
    let journal = SqliteJournal::open(&root.join("source")).unwrap();
    journal.append(&Row { revision: 1, at: Timestamp::now(), private: "{}".into(), public: None }).unwrap();
    let target = root.join("backup");
    Snapshot::take(&journal, &target).unwrap().write(&journal, &[]).unwrap();
    target
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
    assert_eq!(pending.open().unwrap().head().unwrap(), 1);
    assert!(matches!(SqliteJournal::open(&data), Err(JournalError::Storage(_))), "the lock is exclusive");
    drop(pending);
    assert_eq!(SqliteJournal::open(&data).unwrap().epoch().unwrap(), epoch);
    assert_eq!(names_in(&data), ["blobs", "journal.sqlite", "lock"]);
}

#[test]
fn interrupted_restore_refuses_an_empty_history() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    // The state after a kill between the last two moves.
    folder::make(&data.join(RESTORING)).unwrap();
    for _ in 0..2 {
        let refused = SqliteJournal::open(&data).unwrap_err().to_string();
        assert!(refused.contains("journal restore FILE"), "{refused}");
        // Another restore that is given up changes nothing.
        drop(PendingRestore::begin(&data, &file).unwrap());
    }
    let restored = PendingRestore::begin(&data, &file).unwrap().finish().unwrap();
    assert_eq!(restored.replaced, None);
    let journal = SqliteJournal::open(&data).unwrap();
    assert_eq!((journal.head().unwrap(), journal.epoch().unwrap()), (1, restored.epoch));
}

#[test]
fn finish_moves_the_log_of_a_killed_server_away() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    drop(SqliteJournal::open(&data).unwrap());
    std::fs::write(data.join("journal.sqlite-wal"), "").unwrap();
    let pending = PendingRestore::begin(&data, &file).unwrap();
    drop(pending.open().unwrap());
    let replaced = pending.finish().unwrap().replaced.unwrap();
    assert_eq!(names_in(&replaced), ["blobs", "journal.sqlite", "journal.sqlite-wal"]);
    assert_eq!(names_in(&data).len(), 4, "blobs, journal, lock, replaced files");
}
