use super::*;
use crate::local::auth::ENDED_BY_RESTORE;
use crate::local::tests::{opened, opened_sqlite};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

/// A store in which ann and bob have passwords.
fn store(data: &std::path::Path) -> (LocalStore, Handle, Handle) {
    let store = opened(data);
    let [ann, bob] = ["ann", "bob"].map(|handle| handle.parse::<Handle>().unwrap());
    store.set_password(&ann, "$a$1").unwrap();
    store.set_password(&bob, "$b$1").unwrap();
    (store, ann, bob)
}

fn begin(store: &LocalStore, handle: &Handle, now: Timestamp) -> (SessionKey, Session) {
    let phc = store.password(handle).unwrap().unwrap();
    store.begin_session(handle, Some(&phc), &SessionFacts::default(), now, DAY).unwrap().unwrap()
}

#[test]
fn begin_session_stores_no_part_of_the_key() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, _) = store(data.path());
    let (key, _) = begin(&store, &ann, at(0));
    let other = SessionKey::generate().unwrap();
    assert_eq!(store.session(&other, at(0)).unwrap(), None);
    for entry in data.path().read_dir().unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        assert!(!bytes.windows(16).any(|part| key.reveal().as_bytes().windows(16).any(|k| k == part)));
    }
}

#[test]
fn begin_session_removes_expired_and_excess_sessions() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, bob) = store(data.path());
    let count = || -> usize {
        let counts = ENDED_BY_RESTORE[..3].iter().map(|space| {
            let found = store.single(|records| records.count(*space, ""));
            found.unwrap()
        });
        let counts: Vec<_> = counts.collect();
        assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
        counts[0] as usize
    };
    let (bobs, _) = begin(&store, &bob, at(0));
    let (quiet, _) = begin(&store, &ann, at(0));
    let (busy, _) = begin(&store, &ann, at(0));
    store.session(&busy, at(60)).unwrap();
    // A token that was made in this one is in use.
    let (of_token, session) = begin(&store, &ann, at(0));
    assert!(store.is_session_active(&session.id, at(60)).unwrap());
    for n in 0..MAX_SESSIONS as i64 - 2 {
        begin(&store, &ann, at(100 + n));
    }
    assert_eq!(count(), MAX_SESSIONS + 1);
    assert!(store.session(&quiet, at(300)).unwrap().is_none());
    assert!(store.session(&busy, at(300)).unwrap().is_some());
    assert!(store.session(&of_token, at(300)).unwrap().is_some());
    assert!(store.session(&bobs, at(300)).unwrap().is_some());
    begin(&store, &bob, at(200_000));
    assert_eq!(count(), 1, "expired sessions are forgotten");
}

#[test]
fn session_on_a_disk_without_writes_stays_active() {
    let data = tempfile::tempdir().unwrap();
    let (_, ann, _) = store(data.path());
    let (store, sqlite) = opened_sqlite(data.path());
    let (key, _) = begin(&store, &ann, at(0));
    sqlite.connection.lock().pragma_update(None, "query_only", true).unwrap();
    for now in [59, 60, 61, 120, 1000] {
        assert!(store.session(&key, at(now)).unwrap().is_some(), "at {now}");
    }
    assert!(store.begin_session(&ann, Some("$a$1"), &SessionFacts::default(), at(0), DAY).is_err());
}
