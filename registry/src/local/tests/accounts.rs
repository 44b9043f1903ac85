//! Tests of passwords, sessions, failed logins and uses of tokens.

use std::time::Duration;

use super::{Folder, open};
use crate::local::{LocalStore, PasswordChange, Session, SessionFacts, SessionKey};
use crate::names::{Digest, Handle};
use crate::time::Timestamp;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

/// A store in which ann and bob have passwords.
fn with_passwords(folder: &Folder) -> (LocalStore, Handle, Handle) {
    let store = open(folder);
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
fn set_password_is_visible_to_other_processes() {
    let folder = Folder::new();
    let (server, command) = (open(&folder), open(&folder));
    let ann = "ann".parse().unwrap();
    assert_eq!(server.password(&ann).unwrap(), None);
    for hash in ["$a$1", "$b$2"] {
        command.set_password(&ann, hash).unwrap();
        assert_eq!(server.password(&ann).unwrap().as_deref(), Some(hash));
    }
    assert_eq!(server.password(&"bob".parse().unwrap()).unwrap(), None);
}

#[test]
fn session_is_active_until_its_lifetime_ends() {
    let folder = Folder::new();
    let (store, ann, _) = with_passwords(&folder);
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
    let folder = Folder::new();
    let (here, ann, _) = with_passwords(&folder);
    let there = open(&folder);
    let (key, session) = begin(&here, &ann, at(0));
    assert_eq!(there.session(&key, at(1)).unwrap(), Some(session.clone()));
    drop((here, there));
    let again = open(&folder);
    assert_eq!(again.session(&key, at(1)).unwrap(), Some(session.clone()));
    again.end_session(&session.id).unwrap();
    again.end_session(&session.id).unwrap();
    assert_eq!(again.session(&key, at(1)).unwrap(), None);
}

#[test]
fn change_password_ends_the_other_sessions_of_its_owner() {
    let folder = Folder::new();
    let (store, ann, bob) = with_passwords(&folder);
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
    assert!(store.begin_session(&ann, Some("$a$1"), &SessionFacts::default(), at(1), DAY).unwrap().is_none());
    assert!(change("$a$2", "$a$3", None).unwrap());
    assert!(store.session(&mine, at(1)).unwrap().is_none());
    store.set_password(&bob, "$b$2").unwrap();
    assert!(store.session(&bobs, at(1)).unwrap().is_none());
}

#[test]
fn begin_session_ends_the_least_recently_used_one_above_the_limit() {
    let folder = Folder::new();
    let (store, ann, bob) = with_passwords(&folder);
    let (bobs, _) = begin(&store, &bob, at(0));
    let (quiet, _) = begin(&store, &ann, at(0));
    let (busy, _) = begin(&store, &ann, at(0));
    store.session(&busy, at(60)).unwrap();
    for n in 0..99 {
        begin(&store, &ann, at(100 + n));
    }
    assert!(store.session(&quiet, at(300)).unwrap().is_none());
    assert!(store.session(&busy, at(300)).unwrap().is_some());
    assert!(store.session(&bobs, at(300)).unwrap().is_some());
}

#[test]
fn login_blocked_for_after_ten_failures_in_ten_minutes() {
    let folder = Folder::new();
    let (store, ann, bob) = (open(&folder), Digest::of(b"ann"), Digest::of(b"bob"));
    let barred = |now| store.login_blocked_for(&ann, 10, at(now)).unwrap().map(|wait| wait.as_secs());
    for second in 0..10 {
        assert_eq!(barred(second), None, "after {second} failures");
        store.record_login_failure(&[ann], at(second)).unwrap();
    }
    assert_eq!([barred(9), barred(100), barred(599)], [Some(591), Some(500), Some(1)]);
    // Only nine failures are left in the window.
    assert_eq!(barred(600), None);
    store.record_login_failure(&[ann], at(600)).unwrap();
    assert_eq!([barred(600), barred(601)], [Some(1), None]);
    assert_eq!(store.login_blocked_for(&bob, 10, at(9)).unwrap(), None);
}

#[test]
fn record_login_failure_is_visible_to_others_and_forgets_old_ones() {
    let folder = Folder::new();
    let (here, there, ann) = (open(&folder), open(&folder), Digest::of(b"ann"));
    for _ in 0..10 {
        here.record_login_failure(&[ann], at(0)).unwrap();
    }
    assert!(there.login_blocked_for(&ann, 10, at(0)).unwrap().is_some());
    drop((here, there));
    let again = open(&folder);
    assert!(again.login_blocked_for(&ann, 10, at(599)).unwrap().is_some());
    again.record_login_failure(&[ann], at(600)).unwrap();
    let blocked = |max| again.login_blocked_for(&ann, max, at(0)).unwrap().is_some();
    assert_eq!([blocked(1), blocked(2)], [true, false], "the others are forgotten");
}

#[test]
fn login_blocked_for_with_the_clock_set_back_is_at_most_the_window() {
    let folder = Folder::new();
    let (store, ann) = (open(&folder), Digest::of(b"ann"));
    for _ in 0..10 {
        store.record_login_failure(&[ann], at(100_000)).unwrap();
    }
    assert_eq!(store.login_blocked_for(&ann, 10, at(0)).unwrap(), Some(Duration::from_secs(600)));
}

#[test]
fn token_used_is_visible_here_at_once_and_elsewhere_within_a_minute() {
    let folder = Folder::new();
    let (here, there) = (open(&folder), open(&folder));
    assert_eq!(here.token_last_used("t").unwrap(), None);
    for (now, known_there) in [(0, 0), (1, 0), (59, 0), (60, 60), (61, 60), (500, 500)] {
        here.token_used("t", at(now)).unwrap();
        assert_eq!(here.token_last_used("t").unwrap(), Some(at(now)));
        assert_eq!(there.token_last_used("t").unwrap(), Some(at(known_there)), "at {now}");
    }
    here.token_used("t", at(510)).unwrap();
    here.flush().unwrap();
    here.flush().unwrap();
    assert_eq!(there.token_last_used("t").unwrap(), Some(at(510)));
    assert_eq!(there.token_last_used("other").unwrap(), None);
}

#[test]
fn token_last_used_is_the_latest_in_any_order() {
    let folder = Folder::new();
    let (here, there) = (open(&folder), open(&folder));
    here.token_used("t", at(50)).unwrap();
    here.token_used("t", at(20)).unwrap();
    there.token_used("t", at(10)).unwrap();
    for store in [here, there] {
        store.flush().unwrap();
        assert_eq!(store.token_last_used("t").unwrap(), Some(at(50)));
    }
}
