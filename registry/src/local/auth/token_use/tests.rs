use super::*;
use crate::local::tests::{opened, opened_sqlite};

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

#[test]
fn record_returns_all_due_uses() {
    let mut uses = RecentUses::default();
    assert_eq!(uses.record("a", at(0)), [("a".to_owned(), at(0))]);
    assert_eq!(uses.record("b", at(30)), [("b".to_owned(), at(30))]);
    assert_eq!(uses.record("a", at(40)), []);
    assert_eq!(uses.record("b", at(50)), []);
    // `a` is due and `b` is not before 90.
    assert_eq!(uses.record("c", at(70)).len(), 2);
    assert_eq!(uses.take_all(), [("b".to_owned(), at(50))]);
}

#[test]
fn record_drops_old_written_uses() {
    let mut uses = RecentUses::default();
    for n in 0..100 {
        uses.record(&n.to_string(), at(n * 61));
    }
    assert!(uses.0.len() <= 2, "{}", uses.0.len());
}

#[test]
fn token_used_after_a_failed_write_is_written_later() {
    let data = tempfile::tempdir().unwrap();
    let (store, sqlite) = opened_sqlite(data.path());
    sqlite.connection.lock().pragma_update(None, "query_only", true).unwrap();
    assert!(matches!(store.token_used("t", at(0)), Err(LocalError::Storage(_))));
    assert!(store.token_used("t", at(5)).is_ok(), "not tried again so soon");
    assert_eq!(store.token_last_used("t").unwrap(), Some(at(5)));
    sqlite.connection.lock().pragma_update(None, "query_only", false).unwrap();
    store.flush().unwrap();
    assert_eq!(opened(data.path()).token_last_used("t").unwrap(), Some(at(5)));
}
