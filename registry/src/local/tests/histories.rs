//! Tests of positions in logs, of replaced histories and of copies.

use std::collections::HashSet;
use std::time::Duration;

use super::{Folder, open};
use crate::local::{
    Download, HistoryContents, ImportError, LocalStore, LogCounted, LogPosition, LogStart, SessionFacts,
};
use crate::names::{Digest, Handle};
use crate::public::{Counters, Id};
use crate::time::Timestamp;

/// More than the gap below which a position replaces the one before.
const GAP: u64 = 1 << 20;

const HASH: &str =
    "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

fn at(bytes: u64) -> LogPosition {
    LogPosition { bytes, digest: Digest::of(&bytes.to_be_bytes()) }
}

fn download(client: u8) -> [Download; 1] {
    let client = [192, 0, 2, client].into();
    [Download { skill: Id(1), version: Id(2), day: Timestamp::default().into(), client }]
}

fn total(store: &LocalStore) -> u64 {
    store.download_totals_since(0).unwrap().0.iter().map(|(_, count)| count).sum()
}

#[test]
fn count_log_stores_position_and_downloads() {
    let folder = Folder::new();
    let (store, other) = (open(&folder), open(&folder));
    let start = LogStart::of(b"a line");
    let known = store.known_log(start).unwrap();
    assert!(known.positions.is_empty());
    let LogCounted::Done(counted, known) = store.count_log(&known, None, at(10), &download(1)).unwrap()
    else {
        panic!("nobody else counts");
    };
    assert_eq!(counted.new[&(Id(1), Id(2))], 1);
    assert_eq!(known.positions, [at(10)]);
    assert_eq!(other.known_log(start).unwrap().positions, [at(10)]);
    assert!(other.known_log(LogStart::of(b"another line")).unwrap().positions.is_empty());
    store.count_log(&known, Some(at(10)), at(20), &[]).unwrap();
    assert_eq!(other.known_log(start).unwrap().positions, [at(20)], "a short step is one position");
    let known = other.known_log(start).unwrap();
    other.count_log(&known, Some(at(20)), at(20 + GAP), &[]).unwrap();
    assert_eq!(other.known_log(start).unwrap().positions, [at(20), at(20 + GAP)]);
}

#[test]
fn count_log_with_an_outdated_value_conflicts() {
    let folder = Folder::new();
    let store = open(&folder);
    let start = LogStart::of(b"a line");
    let stale = store.known_log(start).unwrap();
    store.count_log(&stale, None, at(10), &download(1)).unwrap();
    let second = store.count_log(&stale, None, at(15), &download(2)).unwrap();
    assert!(matches!(second, LogCounted::Conflict));
    assert_eq!((total(&store), store.known_log(start).unwrap().positions), (1, vec![at(10)]));
    // A replaced position conflicts too.
    let stale = store.known_log(start).unwrap();
    store.count_log(&stale, Some(at(10)), at(12), &[]).unwrap();
    let second = store.count_log(&stale, Some(at(10)), at(15), &download(3)).unwrap();
    assert!(matches!(second, LogCounted::Conflict));
    assert_eq!(total(&store), 1);
}

#[test]
fn history_replaced_removes_passwords_of_others_and_all_sessions() {
    let folder = Folder::new();
    let store = open(&folder);
    let [ann, bob] = ["ann", "bob"].map(|handle| handle.parse::<Handle>().unwrap());
    for handle in [&ann, &bob] {
        store.set_password(handle, "$a$1").unwrap();
    }
    store.token_used("7", Timestamp::now()).unwrap();
    let (lifetime, now) = (Duration::from_secs(9), Timestamp::now());
    let (key, _) =
        store.begin_session(&ann, Some("$a$1"), &SessionFacts::default(), now, lifetime).unwrap().unwrap();
    drop(store);
    let store = open(&folder);
    let accounts = HashSet::from([ann.clone()]);
    store.replace_history("e", &HistoryContents { accounts, ..HistoryContents::default() }).unwrap();
    assert!(store.password(&ann).unwrap().is_some());
    assert!(store.password(&bob).unwrap().is_none());
    assert_eq!(store.token_last_used("7").unwrap(), None);
    assert!(store.session(&key, now).unwrap().is_none());
}

#[test]
fn history_replaced_removes_counters_of_others() {
    let folder = Folder::new();
    let store = open(&folder);
    let day = Timestamp::now().into();
    let downloads: Vec<_> = [(1, 2), (1, 5), (1, 5), (4, 4)]
        .into_iter()
        .enumerate()
        .map(|(client, (skill, version))| Download {
            skill: Id(skill),
            version: Id(version),
            day,
            client: [10, 0, 0, client as u8].into(),
        })
        .collect();
    store.count_downloads(&downloads).unwrap();
    store.publish_counters(&[(Id(1), Counters::default()), (Id(4), Counters::default())], 9).unwrap();
    let (_, since) = store.download_totals_since(0).unwrap();
    let versions = HashSet::from([Id(2)]);
    let remaining =
        HistoryContents { skills: HashSet::from([Id(1)]), versions, ..HistoryContents::default() };
    store.replace_history("e", &remaining).unwrap();
    let (totals, last) = store.download_totals_since(since).unwrap();
    assert_eq!(totals, [(Id(1), 1)], "the remaining totals count as changed");
    assert!(last > since);
    assert!(store.download_days(Id(4)).unwrap().is_empty());
    let published: Vec<_> =
        store.published_counters_since(0).unwrap().into_iter().map(|(skill, ..)| skill).collect();
    assert_eq!(published, [Id(1)]);
    assert_eq!(store.counter_generation().unwrap(), 9);
}

#[test]
fn history_epoch_is_that_of_the_first_start() {
    let folder = Folder::new();
    let (one, other) = (open(&folder), open(&folder));
    assert_eq!(one.history_epoch().unwrap(), None);
    one.begin_history("e").unwrap();
    other.begin_history("f").unwrap();
    assert_eq!(other.history_epoch().unwrap().as_deref(), Some("e"));
    one.replace_history("f", &HistoryContents::default()).unwrap();
    assert_eq!(other.history_epoch().unwrap().as_deref(), Some("f"));
}

fn exported(store: &LocalStore) -> String {
    let mut text = Vec::new();
    store.export(&mut text).unwrap();
    String::from_utf8(text).unwrap()
}

#[test]
fn import_of_an_export_has_passwords_and_downloads() {
    let folder = Folder::new();
    let (store, other) = (open(&folder), Folder::new());
    for handle in ["bob", "ann", "ann-2"] {
        store.set_password(&handle.parse().unwrap(), HASH).unwrap();
    }
    store.adopt_counters(&[(Id(7), Counters { downloads: 40, ..Counters::default() })], 3).unwrap();
    store.count_downloads(&download(1)).unwrap();
    let text = exported(&store);
    assert!(text.find("ann-2") < text.find("bob"), "records are sorted: {text}");
    let copy = open(&other);
    copy.import_lines("e", text.as_bytes()).unwrap();
    assert_eq!(exported(&open(&other)), text);
    assert_eq!(copy.history_epoch().unwrap().as_deref(), Some("e"));
    assert_eq!(copy.download_totals_since(0).unwrap().0, [(Id(1), 1), (Id(7), 40)]);
}

#[test]
fn import_of_a_known_record_stores_nothing() {
    let folder = Folder::new();
    let store = open(&folder);
    store.set_password(&"bob".parse().unwrap(), HASH).unwrap();
    let password =
        |handle: &str| format!("{{\"kind\":\"password\",\"handle\":\"{handle}\",\"hash\":\"{HASH}\"}}\n");
    let lines = password("ann") + &password("bob");
    let refused = store.import_lines("e", lines.as_bytes()).unwrap_err();
    assert!(matches!(refused, ImportError::Line(2)), "{refused}");
    assert_eq!(store.password(&"ann".parse().unwrap()).unwrap(), None);
    assert_eq!(store.history_epoch().unwrap(), None);
}
