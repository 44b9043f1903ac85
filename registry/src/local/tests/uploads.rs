//! Tests of files that wait for a publication.

use std::thread;

use super::{Folder, open};
use crate::local::{HistoryContents, LocalStore, UploadLimits};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

/// Room for so many files of 4 KiB.
const fn files(of_person: u64, of_all: u64) -> UploadLimits {
    let size = 2 * UploadLimits::OVERHEAD;
    UploadLimits { of_person: of_person * size, of_all: of_all * size }
}

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

fn person(handle: &str) -> Handle {
    handle.parse().unwrap()
}

/// 4 KiB that are named by a number.
fn content(number: u8) -> Vec<u8> {
    vec![number; usize::try_from(UploadLimits::OVERHEAD).unwrap()]
}

/// Whether a file is kept. Its number is also the second in which it arrives.
fn keeps(store: &LocalStore, handle: &str, number: u8, limits: UploadLimits) -> bool {
    store.keep_upload(&person(handle), &content(number), limits, at(number.into())).unwrap().is_some()
}

fn has(store: &LocalStore, handle: &str, number: u8) -> bool {
    store.upload(&person(handle), &Digest::of(&content(number))).unwrap().is_some()
}

#[test]
fn uploads_are_read_by_any_process() {
    let folder = Folder::new();
    let contents = [b"\0\xff".to_vec(), vec![7; 100_000], Vec::new()];
    let (here, limits) = (open(&folder), files(100, 100));
    for content in contents.iter().chain(&contents) {
        let sha256 = here.keep_upload(&person("ann"), content, limits, at(0)).unwrap();
        assert_eq!(sha256, Some(Digest::of(content)));
    }
    let there = open(&folder);
    for content in &contents {
        let sha256 = Digest::of(content);
        assert_eq!(there.upload(&person("ann"), &sha256).unwrap().as_ref(), Some(content));
        assert_eq!(there.upload(&person("ben"), &sha256).unwrap(), None, "it is that of ann");
    }
}

#[test]
fn upload_ends_after_15_minutes() {
    let folder = Folder::new();
    let store = open(&folder);
    assert!(keeps(&store, "ann", 1, files(2, 2)));
    assert!(keeps(&store, "ann", 2, files(2, 2)));
    store.remove_expired(at(900)).unwrap();
    assert!(has(&store, "ann", 1));
    store.remove_expired(at(901)).unwrap();
    assert!(!has(&store, "ann", 1) && has(&store, "ann", 2));
    // A file that is sent again waits again.
    store.keep_upload(&person("ann"), &content(2), files(2, 2), at(800)).unwrap();
    store.remove_expired(at(1699)).unwrap();
    assert!(has(&store, "ann", 2));
}

#[test]
fn person_with_too_many_uploads_loses_the_oldest() {
    let folder = Folder::new();
    let store = open(&folder);
    for number in 1..=4 {
        assert!(keeps(&store, "ann", number, files(3, 100)));
        assert!(keeps(&store, "ann", number, files(3, 100)), "again");
    }
    assert_eq!([1, 2, 3, 4].map(|number| has(&store, "ann", number)), [false, true, true, true]);
}

#[test]
fn uploads_of_the_person_with_most_give_way() {
    let folder = Folder::new();
    let (store, limits) = (open(&folder), files(100, 5));
    for (handle, number) in [("ann", 1), ("ann", 2), ("ann", 3), ("ben", 4), ("ben", 5), ("cid", 6)] {
        assert!(keeps(&store, handle, number, limits));
    }
    let kept = [("ann", 1), ("ann", 2), ("ben", 4), ("cid", 6)];
    assert_eq!(kept.map(|(handle, number)| has(&store, handle, number)), [false, true, true, true]);
    assert!(!keeps(&store, "ben", 7, limits), "then ben would have most");
    assert_eq!(kept.map(|(handle, number)| has(&store, handle, number)), [false, true, true, true]);
}

#[test]
fn refused_upload_changes_nothing() {
    let folder = Folder::new();
    let store = open(&folder);
    for (handle, number) in [("ann", 1), ("ann", 2), ("ann", 3), ("ben", 4), ("cid", 5)] {
        assert!(keeps(&store, handle, number, files(100, 5)));
    }
    // Ann's oldest file would go before nobody had more than ben.
    assert!(!keeps(&store, "ben", 6, files(100, 3)));
    assert!([1, 2, 3].map(|number| has(&store, "ann", number)).iter().all(|has| *has));
    assert!(has(&store, "ben", 4) && has(&store, "cid", 5));
}

#[test]
fn uploads_at_once_stay_within_the_limits() {
    let folder = Folder::new();
    let stores = [open(&folder), open(&folder)];
    thread::scope(|scope| {
        for number in 0..12 {
            let store = &stores[usize::from(number % 2)];
            scope.spawn(move || assert!(keeps(store, "ann", number, files(4, 4))));
        }
    });
    assert_eq!((0..12).filter(|number| has(&stores[0], "ann", *number)).count(), 4);
}

#[test]
fn history_replaced_removes_uploads() {
    let folder = Folder::new();
    let store = open(&folder);
    assert!(keeps(&store, "ann", 1, files(1, 1)));
    store.begin_history("one").unwrap();
    store.replace_history("two", &HistoryContents::default()).unwrap();
    assert!(!has(&store, "ann", 1));
}
