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
fn dropped_before_its_end_it_has_changed_nothing() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    let epoch = SqliteJournal::open(&data).unwrap().epoch().unwrap();
    let restoring = PendingRestore::begin(&data, &file).unwrap();
    assert_eq!(restoring.open().unwrap().head().unwrap(), 1);
    assert!(matches!(SqliteJournal::open(&data), Err(JournalError::Storage(_))), "it is alone");
    drop(restoring);
    assert_eq!(SqliteJournal::open(&data).unwrap().epoch().unwrap(), epoch);
    assert_eq!(names_in(&data), ["blobs", "journal.sqlite", "lock"]);
}

#[test]
fn interrupted_it_lets_nobody_begin_an_empty_history() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    // As a kill between the last two moves leaves it.
    folder::make(&data.join(RESTORING)).unwrap();
    for _ in 0..2 {
        let refused = SqliteJournal::open(&data).unwrap_err().to_string();
        assert!(refused.contains("journal restore FILE"), "{refused}");
        // Not even after another try that comes to nothing.
        drop(PendingRestore::begin(&data, &file).unwrap());
    }
    let restored = PendingRestore::begin(&data, &file).unwrap().finish().unwrap();
    assert_eq!(restored.aside, None);
    let journal = SqliteJournal::open(&data).unwrap();
    assert_eq!((journal.head().unwrap(), journal.epoch().unwrap()), (1, restored.epoch));
}

#[test]
fn a_log_that_a_killed_server_left_goes_with_its_journal() {
    let root = tempfile::tempdir().unwrap();
    let (data, file) = (root.path().join("data"), backup(root.path()));
    drop(SqliteJournal::open(&data).unwrap());
    std::fs::write(data.join("journal.sqlite-wal"), "").unwrap();
    let restoring = PendingRestore::begin(&data, &file).unwrap();
    drop(restoring.open().unwrap());
    let aside = restoring.finish().unwrap().aside.unwrap();
    assert_eq!(names_in(&aside), ["blobs", "journal.sqlite", "journal.sqlite-wal"]);
    assert_eq!(names_in(&data).len(), 4, "blobs, journal, lock, what was replaced");
}
