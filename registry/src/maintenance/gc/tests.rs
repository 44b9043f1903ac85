use std::sync::Arc;

use super::*;
use crate::journal::{BlobSource, Blobs, MemoryJournal};
use crate::maintenance::tests::scenario::{begin, blob, publish};

fn removed(registry: &Registry, age: Duration) -> Vec<Digest> {
    let report = registry.collect_garbage(age).unwrap();
    assert!(report.is_complete);
    report.removed.iter().map(|blob| blob.digest).collect()
}

const NOW: Duration = Duration::ZERO;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn gc_keeps_named_and_young_packages() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    assert!(removed(&registry, NOW).is_empty());
    let stray = journal.put_blob(b"of an abandoned publication").unwrap();
    assert!(removed(&registry, DAY).is_empty(), "too young");
    assert_eq!(removed(&registry, NOW), [stray]);
    assert!(removed(&registry, NOW).is_empty());
    for text in ["Says hello.", "Says bye."] {
        assert!(journal.open_blob(blob(text)).unwrap().is_some(), "{text}");
    }
}

#[test]
fn gc_removes_a_withdrawn_submission_which_can_be_published_again() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    publish(&registry, "ann", "bye", "1.0.0", "Says goodbye.");
    assert_eq!(removed(&registry, NOW), [blob("Says bye.")]);
    assert!(journal.open_blob(blob("Says goodbye.")).unwrap().is_some());
    // No catalog remembers the removed archive.
    publish(&registry, "admin", "bye-again", "1.0.0", "Says bye.");
    assert!(journal.open_blob(blob("Says bye.")).unwrap().is_some());
    assert!(removed(&registry, NOW).is_empty());
}

#[test]
fn gc_keeps_a_package_of_another_pending_review() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    publish(&registry, "ann", "bye-too", "1.0.0", "Says bye.");
    publish(&registry, "ann", "bye", "1.0.0", "Says goodbye.");
    assert!(removed(&registry, NOW).is_empty());
    publish(&registry, "ann", "bye-too", "1.0.0", "Says goodbye.");
    assert_eq!(removed(&registry, NOW), [blob("Says bye.")]);
}

#[test]
fn publish_of_a_lost_archive_stores_it_again() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    journal.remove_blobs(NOW, &[blob("Says hello.")]).unwrap();
    publish(&registry, "admin", "hello-again", "1.0.0", "Says hello.");
    assert!(journal.open_blob(blob("Says hello.")).unwrap().is_some());
}

#[test]
fn gc_keeps_packages_named_by_another_process() {
    let journal = MemoryJournal::new();
    let here = begin(Arc::new(journal.clone()));
    let there = Registry::open(Arc::new(journal.clone())).unwrap();
    journal.put_blob(b"stray").unwrap();
    publish(&there, "admin", "third", "1.0.0", "Is third.");
    assert_eq!(removed(&here, NOW), [Digest::of(b"stray")]);
    assert!(journal.open_blob(blob("Is third.")).unwrap().is_some());
}

#[test]
fn gc_during_a_hold_removes_nothing() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    journal.put_blob(b"stray").unwrap();
    let hold = journal.hold_blobs().unwrap();
    let report = registry.collect_garbage(NOW).unwrap();
    assert_eq!(report, GcReport { removed: Vec::new(), is_complete: false });
    drop(hold);
    assert_eq!(removed(&registry, NOW).len(), 1);
}
