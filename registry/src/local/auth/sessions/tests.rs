use super::*;
use crate::local::opened;

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
    store.begin_session(handle, &phc, now, DAY).unwrap().unwrap()
}

#[test]
fn session_is_active_until_its_lifetime_ends() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, _) = store(data.path());
    let (key, session) = begin(&store, &ann, at(0));
    for now in [0, 1, 86_399] {
        assert_eq!(store.session(&key, at(now)).unwrap(), Some(session.clone()), "at {now}");
    }
    for now in [86_400, 86_401, 999_999_999] {
        assert_eq!(store.session(&key, at(now)).unwrap(), None, "at {now}");
    }
    assert_eq!((session.handle, session.id.len()), (ann, 16));
}

#[test]
fn session_is_visible_to_other_processes_and_after_a_restart() {
    let data = tempfile::tempdir().unwrap();
    let (here, ann, _) = store(data.path());
    let there = opened(data.path());
    let (key, session) = begin(&here, &ann, at(0));
    assert_eq!(there.session(&key, at(1)).unwrap(), Some(session.clone()));
    drop((here, there));
    let again = opened(data.path());
    assert_eq!(again.session(&key, at(1)).unwrap(), Some(session.clone()));
    again.end_session(&session.id).unwrap();
    again.end_session(&session.id).unwrap();
    assert_eq!(again.session(&key, at(1)).unwrap(), None);
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
fn change_password_ends_the_other_sessions_of_its_owner() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, bob) = store(data.path());
    let (mine, session) = begin(&store, &ann, at(0));
    let change = |old_phc, new_phc, kept_session| {
        store.change_password(&PasswordChange { handle: &ann, old_phc, new_phc, kept_session })
    };
    let (other, _) = begin(&store, &ann, at(0));
    let (bobs, _) = begin(&store, &bob, at(0));
    assert!(!change("$a$0", "$a$2", None).unwrap(), "it was another");
    assert!(store.session(&other, at(1)).unwrap().is_some());
    assert!(change("$a$1", "$a$2", Some(&session.id)).unwrap());
    assert_eq!(store.password(&ann).unwrap().as_deref(), Some("$a$2"));
    assert!(store.session(&mine, at(1)).unwrap().is_some());
    assert!(store.session(&other, at(1)).unwrap().is_none());
    assert!(store.session(&bobs, at(1)).unwrap().is_some());
    // A login with the old password is too late.
    assert!(store.begin_session(&ann, "$a$1", at(1), DAY).unwrap().is_none());
    assert!(change("$a$2", "$a$3", None).unwrap());
    assert!(store.session(&mine, at(1)).unwrap().is_none());
    store.set_password(&bob, "$b$2").unwrap();
    assert!(store.session(&bobs, at(1)).unwrap().is_none());
}

#[test]
fn begin_session_removes_expired_and_excess_sessions() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, bob) = store(data.path());
    let count = |store: &LocalStore| -> i64 {
        let connection = store.connection.lock();
        connection.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap()
    };
    let (bobs, _) = begin(&store, &bob, at(0));
    let (quiet, _) = begin(&store, &ann, at(0));
    let (busy, _) = begin(&store, &ann, at(0));
    store.session(&busy, at(60)).unwrap();
    // A token that was made in this one is in use.
    let (of_token, session) = begin(&store, &ann, at(0));
    assert!(store.is_session_active(&session.id, at(60)).unwrap());
    for n in 0..MAX_SESSIONS - 2 {
        begin(&store, &ann, at(100 + n));
    }
    assert_eq!(count(&store), MAX_SESSIONS + 1);
    assert!(store.session(&quiet, at(300)).unwrap().is_none());
    assert!(store.session(&busy, at(300)).unwrap().is_some());
    assert!(store.session(&of_token, at(300)).unwrap().is_some());
    assert!(store.session(&bobs, at(300)).unwrap().is_some());
    begin(&store, &bob, at(200_000));
    assert_eq!(count(&store), 1, "expired sessions are forgotten");
}

#[test]
fn session_on_a_disk_without_writes_stays_active() {
    let data = tempfile::tempdir().unwrap();
    let (store, ann, _) = store(data.path());
    let (key, _) = begin(&store, &ann, at(0));
    store.connection.lock().pragma_update(None, "query_only", true).unwrap();
    for now in [59, 60, 61, 120, 1000] {
        assert!(store.session(&key, at(now)).unwrap().is_some(), "at {now}");
    }
    assert!(store.begin_session(&ann, "$a$1", at(0), DAY).is_err());
}
