//! Counts of writes of several servers.

use std::num::NonZeroU32;
use std::thread;

use registry::local::WriteLimit;
use registry::names::Digest;
use registry::time::Timestamp;

use super::{TestDatabase, local};

fn limit(writes: u32) -> WriteLimit {
    WriteLimit::per_minute(NonZeroU32::new(writes).unwrap())
}

const KEY: &str = "ann";

#[test]
fn count_holds_for_all_servers_together() {
    let database = TestDatabase::new();
    let servers = [local(&database.address), local(&database.address)];
    let allowed: usize = thread::scope(|scope| {
        let writing = (0..8).map(|n| &servers[n % 2]);
        let writing: Vec<_> = writing
            .map(|server| {
                let is_allowed = || server.count_write(KEY, limit(5)).unwrap().is_allowed;
                scope.spawn(move || (0..4).filter(|_| is_allowed()).count())
            })
            .collect();
        writing.into_iter().map(|writing| writing.join().unwrap()).sum()
    });
    assert_eq!(allowed, 5);
    let stored = database.sql("SELECT key FROM skillmirror.write_counts");
    assert_eq!(stored, Digest::of(KEY.as_bytes()).to_string(), "the key is stored as its digest");
}

#[test]
fn share_is_free_again_after_its_time() {
    let database = TestDatabase::new();
    let server = local(&database.address);
    let is_allowed = || server.count_write(KEY, limit(2)).unwrap().is_allowed;
    let pass = |seconds: i64| {
        let sql =
            format!("UPDATE skillmirror.write_counts SET full_at = full_at - {seconds}::bigint * 1000000000");
        database.sql(&sql);
    };
    assert_eq!([is_allowed(), is_allowed(), is_allowed()], [true, true, false]);
    pass(30);
    assert_eq!([is_allowed(), is_allowed()], [true, false]);
    // However long nobody writes, a minute's writes may come at once.
    pass(1000);
    assert_eq!([is_allowed(), is_allowed(), is_allowed()], [true, true, false]);
    // The clock was set back by an hour.
    pass(-3600);
    assert_eq!([is_allowed(), is_allowed(), is_allowed()], [true, true, false]);
    server.remove_expired(Timestamp::now()).unwrap();
    assert_eq!(database.sql("SELECT count(*) FROM skillmirror.write_counts"), "1");
    pass(61);
    server.remove_expired(Timestamp::now()).unwrap();
    assert_eq!(database.sql("SELECT count(*) FROM skillmirror.write_counts"), "0");
}

#[test]
fn count_writes_no_log_for_which_a_commit_would_wait() {
    let database = TestDatabase::new();
    let server = local(&database.address);
    server.count_write(KEY, limit(2)).unwrap();
    let persistence = "SELECT relpersistence FROM pg_class WHERE relname = 'write_counts'";
    assert_eq!(database.sql(persistence), "u");
}
