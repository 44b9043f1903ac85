use super::*;
use crate::journal::{BlobSource, PublicRows, Storage};
use crate::maintenance::check;
use crate::maintenance::tests::scenario::{begin, blob, publish};

fn opened(data: &Path) -> Storage {
    Storage::in_folder(data).unwrap()
}

#[test]
fn restore_returns_the_backup_under_a_new_epoch() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let storage = opened(&at("data"));
    let registry = begin(storage.clone());
    let backed_up = back_up(&storage, None, &at("backup")).unwrap();
    assert_eq!(backed_up, BackupSummary { head: storage.journal.head().unwrap(), packages: 2 });
    let (rows, epoch) = (storage.journal.since(0, 99).unwrap(), storage.epoch().unwrap());
    publish(&registry, "admin", "later", "1.0.0", "Comes later.");

    assert!(matches!(
        restore(&at("data"), &at("backup"), None, &Namespace::global()),
        Err(BackupError::InUse(_))
    ));
    drop((registry, storage));
    let above = |known: u64| known + SKIPPED_REVISIONS + 1;
    for (data, seen, had_one, next) in [
        ("unknown/data", None, false, above(backed_up.head)),
        ("new/data", Some(500), false, above(500)),
        ("old/data", Some(1), false, above(backed_up.head)),
        // Publishing issues a token first.
        ("data", None, true, backed_up.head + 3),
    ] {
        let RestoreOutcome::Done(restored) =
            restore(&at(data), &at("backup"), seen, &Namespace::global()).unwrap()
        else {
            panic!("damaged")
        };
        let RestoreSummary { report, epoch: renewed, revision, is_end_known, local, replaced } = restored;
        assert_eq!((report.head, report.packages, replaced.is_some()), (backed_up.head, 2, had_one));
        assert_eq!((revision, is_end_known), (next, had_one));
        assert_eq!(local, LocalData::Missing);
        let storage = opened(&at(data));
        let now = storage.journal.since(0, 99).unwrap();
        assert_eq!(now[..rows.len()], rows);
        assert_eq!(now[rows.len()..].iter().map(|row| row.revision).collect::<Vec<_>>(), [next]);
        assert_eq!(storage.journal.since(next - 1, 9).unwrap().len(), 1, "reads may begin in the gap");
        assert!(check(&storage).unwrap().faults.is_empty());
        let registry = Registry::open(storage.clone()).unwrap();
        assert_eq!(registry.public().read().epochs().collect::<Vec<_>>(), [&renewed, &epoch]);
        publish(&registry, "admin", "after", "1.0.0", "Comes after.");
        assert_eq!(storage.journal.head().unwrap(), next + 2);
        assert!(storage.epoch().unwrap() == renewed && renewed != epoch);
        assert!(storage.open_blob(blob("Says bye.")).unwrap().is_some());
        assert!(!at(data).join("restoring").exists());
        if let Some(replaced) = replaced {
            let before = opened(&replaced);
            assert_eq!(
                (before.journal.head().unwrap(), before.epoch().unwrap()),
                (backed_up.head + 2, epoch.clone())
            );
            assert!(before.open_blob(blob("Comes later.")).unwrap().is_some());
        }
    }
}

#[test]
fn restore_over_a_damaged_journal_uses_no_number_again() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let storage = opened(&at("data"));
    let registry = begin(storage.clone());
    let BackupSummary { head, .. } = back_up(&storage, None, &at("backup")).unwrap();
    publish(&registry, "admin", "later", "1.0.0", "Comes later.");
    drop((registry, storage));
    let damaged = rusqlite::Connection::open(at("data/journal.sqlite")).unwrap();
    // `history_restored` behind a byte that is not UTF-8, in a row in the middle.
    let update = "UPDATE rows SET public = CAST(x'ff686973746f72795f726573746f726564' AS TEXT)
                  WHERE revision = 2";
    assert_eq!(damaged.execute(update, []).unwrap(), 1);
    drop(damaged);
    let restored = |seen| match restore(&at("data"), &at("backup"), seen, &Namespace::global()).unwrap() {
        RestoreOutcome::Done(restored) => restored,
        other => panic!("{other:?}"),
    };
    let first = restored(None);
    assert_eq!((first.revision, first.is_end_known), (head + 3, true), "its last row says how far it got");
    std::fs::write(at("data/journal.sqlite"), "no database").unwrap();
    // A tree does not show the last private rows.
    let second = restored(Some(500));
    assert_eq!((second.revision, second.is_end_known), (500 + SKIPPED_REVISIONS + 1, false));
}

#[test]
fn restore_over_a_restored_history_hands_all_epochs_on() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let storage = opened(&at("data"));
    drop(begin(storage.clone()));
    back_up(&storage, None, &at("backup")).unwrap();
    let mut epochs = vec![storage.epoch().unwrap()];
    drop(storage);
    let (mut last, other) = (0, opened(&at("other")));
    drop(begin(other.clone()));
    back_up(&other, None, &at("of-another")).unwrap();
    drop(other);
    for _ in 0..3 {
        let RestoreOutcome::Done(restored) =
            restore(&at("data"), &at("backup"), None, &Namespace::global()).unwrap()
        else {
            panic!("damaged")
        };
        assert!(restored.revision > last, "no number is used again");
        last = restored.revision;
        let registry = Registry::open(opened(&at("data"))).unwrap();
        let public = registry.public();
        let public = public.read();
        let mut known: Vec<_> = public.epochs().skip(1).cloned().collect();
        known.sort();
        epochs.sort();
        assert_eq!(known, epochs);
        epochs.push(public.feed().epoch().clone());
    }
    restore(&at("data"), &at("of-another"), None, &Namespace::global()).unwrap();
    let registry = Registry::open(opened(&at("data"))).unwrap();
    assert_eq!(registry.public().read().epochs().count(), 2, "another registry's epochs are not handed on");
}

#[test]
fn back_up_that_fails_leaves_no_file() {
    let root = tempfile::tempdir().unwrap();
    let at = |name: &str| root.path().join(name);
    let storage = opened(&at("data"));
    let _registry = begin(storage.clone());
    std::fs::write(at("taken"), "mine").unwrap();
    assert!(matches!(back_up(&storage, None, &at("taken")), Err(BackupError::Exists(_))));
    assert_eq!(std::fs::read(at("taken")).unwrap(), b"mine");
    let name = blob("Says hello.").to_string();
    std::fs::remove_file(at("data/blobs").join(&name[..2]).join(&name)).unwrap();
    assert!(matches!(back_up(&storage, None, &at("backup")), Err(BackupError::Package { .. })));
    let mut left: Vec<_> = root.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["data", "taken"], "no file of the failed backup is left");
}
