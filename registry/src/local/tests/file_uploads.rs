//! Tests of uploads of single files, which every [`super::Local`] has to pass.

use std::thread;

use super::{LocalUnderTest, open};
use crate::local::{
    AnnouncedFile, CollectedFiles, FileUploadLimits, HistoryContents, LocalStore, StoredContent,
    UnusableTicket, UploadsFull,
};
use crate::names::Digest;
use crate::time::Timestamp;

const LIMITS: FileUploadLimits =
    FileUploadLimits { person_bytes: 100, person_files: 4, bytes: 150, files: 6 };

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

fn file(person: &str, path: &str, size: u64) -> AnnouncedFile {
    let person = person.parse().unwrap();
    AnnouncedFile { person, path: path.to_owned(), size, sha256: Digest::of(path.as_bytes()) }
}

fn announce(store: &LocalStore, file: &AnnouncedFile, seconds: i64) -> String {
    store.announce_file(file, LIMITS, at(seconds)).unwrap().unwrap()
}

fn refused(store: &LocalStore, file: &AnnouncedFile, seconds: i64) -> Option<UploadsFull> {
    store.announce_file(file, LIMITS, at(seconds)).unwrap().err()
}

/// Sends the content of a file. Returns whether its ticket is known.
fn stores(store: &LocalStore, ticket: &str, content: &[u8]) -> bool {
    store.store_file(ticket, content, 1 << 20).unwrap() == StoredContent::Stored
}

type Files = Vec<(String, AnnouncedFile)>;

fn announce_all(store: &LocalStore, paths: &[&str]) -> Files {
    let files = paths.iter().map(|path| file("ann", path, 10));
    files.map(|file| (announce(store, &file, 0), file)).collect()
}

fn collect(store: &LocalStore, files: &[(String, AnnouncedFile)]) -> Result<CollectedFiles, UnusableTicket> {
    store.collect_files(files, at(1)).unwrap().map_err(|(_, why)| why)
}

fn finish(store: &LocalStore, files: &[(String, AnnouncedFile)], answer: &str) {
    store.finish_files(files.iter().map(|(ticket, _)| ticket.as_str()), answer).unwrap();
}

fn published(answer: &str) -> Result<CollectedFiles, UnusableTicket> {
    Ok(CollectedFiles::Published(answer.to_owned()))
}

pub fn files_of_several_processes_are_published_once(backend: &impl LocalUnderTest) {
    let (here, there) = (open(backend), open(backend));
    let files = announce_all(&here, &["b", "ä 日本"]);
    assert_eq!(collect(&there, &files), Err(UnusableTicket::NotStored));
    let contents = [b"\0\xff".to_vec(), vec![7; 100_000]];
    for ((ticket, file), content) in files.iter().zip(&contents) {
        assert_eq!(there.announced_file(ticket, &file.person, at(1)).unwrap().as_ref(), Some(file));
        assert!(stores(&there, ticket, content));
    }
    drop((here, there));
    let again = open(backend);
    // A refused publication can be repeated.
    for _ in 0..2 {
        assert_eq!(collect(&again, &files), Ok(CollectedFiles::Stored));
        for ((ticket, _), content) in files.iter().zip(&contents) {
            assert_eq!(again.uploaded_file(ticket).unwrap().as_ref(), Some(content));
        }
    }
    finish(&again, &files, "{\"ä\":1}");
    finish(&again, &files, "{\"ä\":1}");
    assert_eq!(collect(&open(backend), &files), published("{\"ä\":1}"));
    assert_eq!(collect(&again, &files[1..]), Err(UnusableTicket::Unknown), "the other tickets have ended");
    let (ticket, file) = &files[0];
    assert_eq!(again.announced_file(ticket, &file.person, at(1)).unwrap(), None);
    for (ticket, _) in &files {
        assert!(!stores(&again, ticket, b"late"));
        assert_eq!(again.uploaded_file(ticket).unwrap(), None);
    }
    // All of the person's limits are free again.
    announce(&again, &self::file("ann", "next", 100), 1);
}

pub fn ticket_is_for_one_person_and_file(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let own = file("ann", "a", 10);
    let ticket = announce(&store, &own, 0);
    assert!(stores(&store, &ticket, b"a"));
    let ben = "ben".parse().unwrap();
    assert_eq!(store.announced_file(&ticket, &ben, at(1)).unwrap(), None);
    assert_eq!(store.announced_file("guess", &own.person, at(1)).unwrap(), None);
    assert!(!stores(&store, "guess", b"a"));
    for other in [
        AnnouncedFile { person: ben, ..own.clone() },
        AnnouncedFile { path: "../a".into(), ..own.clone() },
        AnnouncedFile { size: 11, ..own.clone() },
        AnnouncedFile { sha256: Digest::of(b"x"), ..own.clone() },
    ] {
        assert_eq!(collect(&store, &[(ticket.clone(), other)]), Err(UnusableTicket::Unknown));
    }
    assert_eq!(collect(&store, &[("guess".to_owned(), own.clone())]), Err(UnusableTicket::Unknown));
    assert_eq!(collect(&store, &[(ticket, own)]), Ok(CollectedFiles::Stored));
}

pub fn ticket_named_twice_is_refused(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let mut files = announce_all(&store, &["a", "b"]);
    for (ticket, _) in &files {
        assert!(stores(&store, ticket, b"content"));
    }
    files.push(files[0].clone());
    assert_eq!(collect(&store, &files), Err(UnusableTicket::Unknown));
    // Many are looked up in several steps.
    let many = vec![files[0].clone(); 2500];
    assert_eq!(collect(&store, &many), Err(UnusableTicket::Unknown));
}

pub fn content_is_replaced_until_it_is_published(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let files = announce_all(&store, &["a"]);
    let (ticket, _) = &files[0];
    for content in [&b"first"[..], b"", b"second"] {
        assert!(stores(&store, ticket, content));
        assert_eq!(store.uploaded_file(ticket).unwrap().as_deref(), Some(content));
    }
    finish(&store, &files, "1");
    assert!(!stores(&store, ticket, b"third"));
}

pub fn expired_ticket_is_unknown_and_frees_its_file(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let own = file("ann", "a", 60);
    let ticket = announce(&store, &own, 0);
    assert!(stores(&store, &ticket, b"a"));
    let files = [(ticket.clone(), own.clone())];
    let collected = |seconds| store.collect_files(&files, at(seconds)).unwrap();
    assert_eq!(collected(899), Ok(CollectedFiles::Stored));
    assert_eq!(collected(900), Err(("a".to_owned(), UnusableTicket::Unknown)));
    assert_eq!(store.announced_file(&ticket, &own.person, at(900)).unwrap(), None);
    store.forget_files(at(899)).unwrap();
    assert!(store.uploaded_file(&ticket).unwrap().is_some());
    assert_eq!(refused(&store, &own, 899), Some(UploadsFull::OfPerson));
    announce(&store, &own, 900);
    assert_eq!(store.uploaded_file(&ticket).unwrap(), None);
    assert!(!stores(&store, &ticket, b"late"));
}

pub fn files_are_limited_per_person_and_in_all(backend: &impl LocalUnderTest) {
    let store = open(backend);
    announce(&store, &file("ann", "a", 60), 0);
    assert_eq!(refused(&store, &file("ann", "b", 41), 1), Some(UploadsFull::OfPerson));
    assert_eq!(refused(&store, &file("ann", "b", u64::MAX), 1), Some(UploadsFull::OfPerson));
    for path in ["b", "c", "d"] {
        announce(&store, &file("ann", path, 0), 0);
    }
    assert_eq!(refused(&store, &file("ann", "e", 0), 1), Some(UploadsFull::OfPerson));
    // Announced bytes take nothing from others. Of six files, the oldest of the one with most gives way.
    let (a, b) = (announce(&store, &file("ben", "a", 91), 0), announce(&store, &file("ben", "b", 0), 0));
    announce(&store, &file("cid", "a", 0), 0);
    let own: Vec<_> = [&a, &b].map(|ticket| Digest::of(ticket.as_bytes())).into();
    assert_eq!(store.backend.file_uploads(&own).unwrap().len(), 2);
    assert_eq!(refused(&store, &file("cid", "b", 0), 1), None);
    assert_eq!(refused(&store, &file("cid", "c", 0), 1), Some(UploadsFull::OfAll), "nobody has more");
    announce(&store, &file("ann", "a", 100), 900);
}

pub fn sent_bytes_of_one_with_most_give_way(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let send = |person: &str, path: &str, seconds, size: usize| {
        let file = file(person, path, size as u64);
        let ticket = announce(&store, &file, seconds);
        let stored = store.store_file(&ticket, &vec![7; size], 150).unwrap();
        (stored, ticket)
    };
    let (first, oldest) = send("ann", "a", 0, 40);
    let (second, newer) = send("ann", "b", 1, 50);
    let (third, own) = send("ben", "a", 2, 60);
    assert_eq!([first, second, third], [StoredContent::Stored; 3]);
    // Ann has 90 bytes, ben has 60.
    let (stored, _) = send("cid", "a", 3, 40);
    assert_eq!(stored, StoredContent::Stored);
    let is_there = |ticket: &str| store.uploaded_file(ticket).unwrap().is_some();
    assert_eq!([&oldest, &newer, &own].map(|ticket| is_there(ticket)), [false, true, true]);
    assert_eq!(send("ben", "b", 4, 30).0, StoredContent::Full, "then ben would have most");
    assert!(is_there(&own) && is_there(&newer));
}

pub fn refused_upload_changes_nothing(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let wide = FileUploadLimits { person_bytes: 1000, person_files: 100, bytes: 100, files: 6 };
    let announce = |person: &str, path: &str, size| {
        store
            .announce_file(&file(person, path, size), FileUploadLimits { files: 100, ..wide }, at(0))
            .unwrap()
            .unwrap()
    };
    let send = |person: &str, path: &str, size: u64| {
        let ticket = announce(person, path, size);
        let content = vec![7; usize::try_from(size).unwrap()];
        assert_eq!(store.store_file(&ticket, &content, 100).unwrap(), StoredContent::Stored);
        ticket
    };
    let own = announce("ben", "a", 20);
    assert_eq!(store.store_file(&own, &[1; 20], 100).unwrap(), StoredContent::Stored);
    let mut others: Vec<_> = (0..6).map(|n| send("ann", &n.to_string(), 10)).collect();
    others.push(send("cid", "a", 20));
    // Four of ann's files would go before nobody had more than ben.
    assert_eq!(store.store_file(&own, &[7; 20], 50).unwrap(), StoredContent::Full);
    assert_eq!(
        store.uploaded_file(&own).unwrap().as_deref(),
        Some(&[1; 20][..]),
        "the earlier content stays"
    );
    for ticket in &others {
        assert!(store.uploaded_file(ticket).unwrap().is_some());
    }
    // There is room among the files after one of ann's, but not among the answers.
    for path in 0..10 {
        let published = file("dan", &path.to_string(), 1);
        let ticket = announce("dan", &published.path, 1);
        finish(&store, &[(ticket, published)], "1");
    }
    let next =
        store.announce_file(&file("dan", "next", 1), FileUploadLimits { files: 8, ..wide }, at(0)).unwrap();
    assert_eq!(next, Err(UploadsFull::OfAll));
    for ticket in &others {
        assert!(store.uploaded_file(ticket).unwrap().is_some());
    }
}

pub fn announcements_at_once_stay_within_the_limits(backend: &impl LocalUnderTest) {
    let stores = [open(backend), open(backend)];
    let announced: usize = thread::scope(|scope| {
        let announcing = (0..6).map(|n| (&stores[n % 2], file("ann", "a", 1)));
        let announcing: Vec<_> = announcing
            .map(|(store, file)| {
                scope.spawn(move || (0..4).filter(|_| refused(store, &file, 0).is_none()).count())
            })
            .collect();
        announcing.into_iter().map(|announcing| announcing.join().unwrap()).sum()
    });
    assert_eq!(announced, 4);
}

pub fn answers_of_publications_are_limited(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let limits = FileUploadLimits { files: 1, ..LIMITS };
    let own = file("ann", "a", 1);
    for _ in 0..2 {
        let ticket = store.announce_file(&own, limits, at(0)).unwrap().unwrap();
        finish(&store, &[(ticket, own.clone())], "1");
    }
    assert_eq!(store.announce_file(&own, limits, at(0)).unwrap(), Err(UploadsFull::OfAll));
    store.announce_file(&own, limits, at(900)).unwrap().unwrap();
}

pub fn tickets_are_stored_as_digests(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let ticket = announce(&store, &file("ann", "a", 1), 0);
    let stored = store.backend.file_uploads(&[Digest::of(ticket.as_bytes())]).unwrap();
    assert_eq!(stored.len(), 1);
    assert!(!format!("{stored:?}").contains(&ticket));
}

pub fn history_replaced_removes_files(backend: &impl LocalUnderTest) {
    let store = open(backend);
    let files = announce_all(&store, &["a"]);
    store.backend.begin_history("one").unwrap();
    store.backend.replace_history("two", &HistoryContents::default()).unwrap();
    assert_eq!(collect(&store, &files), Err(UnusableTicket::Unknown));
}
