use std::sync::Arc;
use std::time::Duration;

use super::*;
use crate::journal::{Blobs, Journal, MemoryJournal, PublicRow};
use crate::maintenance::tests::scenario::{begin, blob, publish};
use crate::time::Timestamp;

fn faults(storage: impl Into<Storage>) -> Vec<String> {
    check(&storage.into()).unwrap().faults.iter().map(ToString::to_string).collect()
}

fn append(journal: &MemoryJournal, private: &str, public: Option<&str>) {
    let revision = journal.head().unwrap() + 1;
    let public = public.map(|json| PublicRow::new(revision, json.replace("REVISION", &revision.to_string())));
    let row = Row { revision, at: Timestamp::now(), private: private.into(), public };
    journal.append(&row).unwrap();
}

#[test]
fn check_of_an_intact_registry_finds_no_fault() {
    let journal = MemoryJournal::new();
    assert_eq!(check(&Arc::new(journal.clone()).into()).unwrap().packages, 0);
    let registry = begin(Arc::new(journal.clone()));
    publish(&registry, "admin", "hello-again", "1.0.0", "Says hello.");
    let report = check(&Arc::new(journal.clone()).into()).unwrap();
    assert_eq!((report.head, report.packages), (journal.head().unwrap(), 2));
    assert!(report.bytes > 100 && report.faults.is_empty(), "{report:?}");
}

#[test]
fn check_names_every_row_that_cannot_be_decoded() {
    let journal = MemoryJournal::new();
    let _registry = begin(Arc::new(journal.clone()));
    let audit = r#"{"actor":null,"credential":null,"request":null,"changes":[]}"#;
    append(&journal, "{}", None);
    append(
        &journal,
        audit,
        Some(r#"{"revision":REVISION,"at":"2026-01-31T12:00:00Z","kind":"melted","v":1}"#),
    );
    append(&journal, audit, None);
    append(&journal, &audit.replace("[]", r#"[{"kind":"user_disabled","v":9}]"#), Some("{"));
    let faults = faults(Arc::new(journal.clone()));
    let first = journal.head().unwrap() - 3;
    for (fault, (revision, naming)) in faults.iter().zip([
        (first, "missing field `changes`"),
        (first + 1, "`melted` of schema 1"),
        (first + 3, "`user_disabled` of schema 9"),
        (first + 3, "EOF"),
    ]) {
        assert!(fault.starts_with(&format!("revision {revision}: ")), "{fault}");
        assert!(fault.contains(naming), "{fault}");
    }
    assert_eq!(faults.len(), 4, "{faults:?}");
}

#[test]
fn check_names_a_missing_package() {
    let journal = MemoryJournal::new();
    let _registry = begin(Arc::new(journal.clone()));
    let (hello, bye) = (blob("Says hello."), blob("Says bye."));
    journal.remove_blobs(Duration::ZERO, &[hello, bye]).unwrap();
    assert_eq!(
        faults(Arc::new(journal.clone())),
        [
            format!("package {hello}, named by revision 4: it is missing"),
            format!("package {bye}, named by revision 6: it is missing"),
        ]
    );
}

#[test]
fn check_names_a_row_missing_from_the_public_index() {
    let data = tempfile::tempdir().unwrap();
    let open = || Storage::in_folder(data.path()).unwrap();
    drop(begin(open()));
    let raw = rusqlite::Connection::open(data.path().join("journal.sqlite")).unwrap();
    raw.execute_batch(
        "DROP INDEX public_rows;
         CREATE INDEX public_rows ON rows(revision) WHERE public IS NOT NULL AND revision <> 4;
         PRAGMA writable_schema = ON;
         UPDATE sqlite_schema SET sql = 'CREATE INDEX public_rows ON rows(revision) WHERE public IS NOT NULL'
             WHERE name = 'public_rows';",
    )
    .unwrap();
    drop(raw);
    let faults = faults(open());
    assert!(faults.len() == 1 && faults[0].starts_with("revision 4: its public half"), "{faults:?}");
}

#[test]
fn check_names_every_changed_row() {
    let data = tempfile::tempdir().unwrap();
    let open = || Storage::in_folder(data.path()).unwrap();
    drop(begin(open()));
    let raw = rusqlite::Connection::open(data.path().join("journal.sqlite")).unwrap();
    raw.execute_batch("UPDATE rows SET at = at + 1 WHERE revision IN (2, 5)").unwrap();
    raw.execute_batch("UPDATE rows SET public = CAST(x'ff' AS TEXT) WHERE revision = 4").unwrap();
    drop(raw);
    let faults = faults(open());
    for (fault, revision) in faults.iter().zip([2, 4, 5]) {
        assert!(fault.starts_with(&format!("revision {revision}: row {revision}")), "{fault}");
    }
    assert_eq!(faults.len(), 3, "{faults:?}");
}
