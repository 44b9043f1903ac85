use super::*;
use crate::local::opened;

fn at(seconds: i64) -> Timestamp {
    Timestamp::from_unix(1_769_860_800 + seconds).unwrap()
}

#[test]
fn token_used_is_visible_here_at_once_and_elsewhere_within_a_minute() {
    let data = tempfile::tempdir().unwrap();
    let (here, there) = (opened(data.path()), opened(data.path()));
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
    let data = tempfile::tempdir().unwrap();
    let (here, there) = (opened(data.path()), opened(data.path()));
    here.token_used("t", at(50)).unwrap();
    here.token_used("t", at(20)).unwrap();
    there.token_used("t", at(10)).unwrap();
    for store in [here, there] {
        store.flush().unwrap();
        assert_eq!(store.token_last_used("t").unwrap(), Some(at(50)));
    }
}

#[test]
fn record_returns_all_due_uses() {
    let mut uses = TokenUses::default();
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
    let mut uses = TokenUses::default();
    for n in 0..100 {
        uses.record(&n.to_string(), at(n * 61));
    }
    assert!(uses.0.len() <= 2, "{}", uses.0.len());
}

#[test]
fn token_used_after_a_failed_write_is_written_later() {
    let data = tempfile::tempdir().unwrap();
    let store = opened(data.path());
    store.connection.lock().pragma_update(None, "query_only", true).unwrap();
    assert!(matches!(store.token_used("t", at(0)), Err(LocalError::Storage(_))));
    assert!(store.token_used("t", at(5)).is_ok(), "not tried again so soon");
    assert_eq!(store.token_last_used("t").unwrap(), Some(at(5)));
    store.connection.lock().pragma_update(None, "query_only", false).unwrap();
    store.flush().unwrap();
    assert_eq!(opened(data.path()).token_last_used("t").unwrap(), Some(at(5)));
}
