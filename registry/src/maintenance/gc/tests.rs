use std::sync::Arc;

use super::*;
use crate::journal::{Journal, MemoryJournal, PublicStore};
use crate::maintenance::tests::scenario::{begin, blob, publish};

fn removed(registry: &Registry, age: Duration) -> Vec<Digest> {
    let collected = registry.collect_garbage(age).unwrap();
    assert_eq!(collected.outcome, Outcome::Complete);
    collected.removed.iter().map(|blob| blob.digest).collect()
}

const NOW: Duration = Duration::ZERO;
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[test]
fn what_versions_name_stays() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    assert!(removed(&registry, NOW).is_empty());
    let stray = journal.put_blob(b"of a publication that was given up").unwrap();
    assert!(removed(&registry, DAY).is_empty(), "it is young");
    assert_eq!(removed(&registry, NOW), [stray]);
    assert!(removed(&registry, NOW).is_empty());
    for text in ["Says hello.", "Says bye."] {
        assert!(journal.open_blob(blob(text)).unwrap().is_some(), "{text}");
    }
}

#[test]
fn a_withdrawn_submission_goes_and_may_come_again() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    publish(&registry, "ann", "bye", "1.0.0", "Says goodbye.");
    assert_eq!(removed(&registry, NOW), [blob("Says bye.")]);
    assert!(journal.open_blob(blob("Says goodbye.")).unwrap().is_some());
    // Nothing remembers an archive that is gone.
    publish(&registry, "admin", "bye-again", "1.0.0", "Says bye.");
    assert!(journal.open_blob(blob("Says bye.")).unwrap().is_some());
    assert!(removed(&registry, NOW).is_empty());
}

#[test]
fn a_content_that_waits_twice_stays_for_the_other() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    publish(&registry, "ann", "bye-too", "1.0.0", "Says bye.");
    publish(&registry, "ann", "bye", "1.0.0", "Says goodbye.");
    assert!(removed(&registry, NOW).is_empty());
    publish(&registry, "ann", "bye-too", "1.0.0", "Says goodbye.");
    assert_eq!(removed(&registry, NOW), [blob("Says bye.")]);
}

#[test]
fn a_lost_archive_is_stored_again() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    let head = journal.head().unwrap();
    journal.remove_blobs(head, SystemTime::now() + DAY, &[blob("Says hello.")]).unwrap();
    publish(&registry, "admin", "hello-again", "1.0.0", "Says hello.");
    assert!(journal.open_blob(blob("Says hello.")).unwrap().is_some());
}

#[test]
fn what_another_process_has_named_meanwhile_stays() {
    let journal = MemoryJournal::new();
    let here = begin(Arc::new(journal.clone()));
    let there = Registry::open(Arc::new(journal.clone())).unwrap();
    journal.put_blob(b"stray").unwrap();
    publish(&there, "admin", "third", "1.0.0", "Is third.");
    assert_eq!(removed(&here, NOW), [Digest::of(b"stray")]);
    assert!(journal.open_blob(blob("Is third.")).unwrap().is_some());
}

#[test]
fn while_all_are_read_none_is_removed() {
    let journal = MemoryJournal::new();
    let registry = begin(Arc::new(journal.clone()));
    journal.put_blob(b"stray").unwrap();
    let hold = journal.hold_blobs().unwrap();
    let collected = registry.collect_garbage(NOW).unwrap();
    assert_eq!(collected, GcReport { removed: Vec::new(), outcome: Outcome::Held });
    drop(hold);
    assert_eq!(removed(&registry, NOW).len(), 1);
}
