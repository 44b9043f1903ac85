use super::*;
use crate::journal::PublicStore;
use crate::maintenance::tests::scenario::{begin, blob, publish};

fn opened(data: &Path) -> Arc<SqliteJournal> {
    Arc::new(SqliteJournal::open(data).unwrap())
}

#[test]
fn restore_returns_the_backup_under_a_new_epoch() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let journal = opened(&at("data"));
    let registry = begin(journal.clone());
    let backed_up = back_up(&journal, &at("backup")).unwrap();
    assert_eq!(backed_up, BackupSummary { head: journal.head().unwrap(), packages: 2 });
    let (rows, epoch) = (journal.since(0, 99).unwrap(), journal.epoch().unwrap());
    publish(&registry, "admin", "later", "1.0.0", "Comes later.");

    assert!(matches!(restore(&at("data"), &at("backup")), Err(BackupError::InUse(_))));
    drop((registry, journal));
    for (data, had_one) in [("new/data", false), ("data", true)] {
        let RestoreOutcome::Done { report, epoch: renewed, replaced } =
            restore(&at(data), &at("backup")).unwrap()
        else {
            panic!("damaged")
        };
        assert_eq!((report.head, report.packages, replaced.is_some()), (backed_up.head, 2, had_one));
        let journal = opened(&at(data));
        assert_eq!(journal.since(0, 99).unwrap(), rows);
        assert!(journal.epoch().unwrap() == renewed && renewed != epoch);
        assert!(journal.open_blob(blob("Says bye.")).unwrap().is_some());
        assert!(!at(data).join("restoring").exists());
        if let Some(replaced) = replaced {
            let before = opened(&replaced);
            assert_eq!(
                (before.head().unwrap(), before.epoch().unwrap()),
                (backed_up.head + 2, epoch.clone())
            );
            assert!(before.open_blob(blob("Comes later.")).unwrap().is_some());
        }
    }
}

#[test]
fn back_up_that_fails_leaves_no_file() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let journal = opened(&at("data"));
    let _registry = begin(journal.clone());
    std::fs::write(at("taken"), "mine").unwrap();
    assert!(matches!(back_up(&journal, &at("taken")), Err(BackupError::Exists(_))));
    assert_eq!(std::fs::read(at("taken")).unwrap(), b"mine");
    let name = blob("Says hello.").to_string();
    std::fs::remove_file(at("data/blobs").join(&name[..2]).join(&name)).unwrap();
    assert!(matches!(back_up(&journal, &at("backup")), Err(BackupError::Package { .. })));
    let mut left: Vec<_> = root.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["data", "taken"], "no file of the failed backup is left");
}
