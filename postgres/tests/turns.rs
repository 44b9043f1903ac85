//! Turns to write the bucket: one of all servers has one at a time.

use std::time::{Duration, Instant};

use postgres_store::{Roots, Turns};

use super::TestDatabase;
use super::server::PostgresServer;

fn turns(address: &str) -> Turns {
    Turns::of(address.parse().unwrap(), &Roots::Builtin).unwrap()
}

/// Asks all servers until one of them has a turn. Returns its place and the number of the turn.
fn one_of(all: &[Turns]) -> (usize, u64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        // Those that have none begin to ask here.
        let numbers: Vec<_> = all.iter().map(Turns::number).collect();
        assert!(numbers.iter().flatten().count() <= 1, "{numbers:?}");
        if let Some((place, Some(number))) = numbers.into_iter().enumerate().find(|(_, it)| it.is_some()) {
            return (place, number);
        }
        assert!(Instant::now() < deadline, "no server gets a turn");
        std::thread::yield_now();
    }
}

#[test]
fn turn_goes_to_another_server_when_it_ends() {
    let database = TestDatabase::new();
    // An open transaction with a snapshot would keep old rows.
    database
        .sql(&format!("ALTER DATABASE {} SET default_transaction_isolation = serializable", database.name));
    let all = [turns(&database.address), turns(&database.address)];
    let (first, number) = one_of(&all);
    assert_eq!(all[first].number(), Some(number), "it is the same turn");
    let open = "SELECT count(*), count(backend_xmin) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'idle in transaction'";
    assert_eq!(database.sql(open), "1|0");
    all[first].end();
    let rest = match first {
        0 => &all[1..],
        _ => &all[..1],
    };
    one_of(rest);
    assert_eq!(all[first].number(), None);
}

#[test]
fn server_that_is_away_ends_the_turn_and_gives_a_new_one() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let all = [turns(&address), turns(&address)];
    let before = one_of(&all);
    server.end();
    // Nobody is told. The turn ends by itself.
    let deadline = Instant::now() + Duration::from_secs(60);
    while all[before.0].number().is_some() {
        assert!(Instant::now() < deadline, "the turn does not end");
        std::thread::yield_now();
    }
    server.begin();
    assert_ne!(one_of(&all), before, "each turn has a number of its own");
}

/// A process that hangs asks nothing, and keeps its connection.
#[test]
fn database_that_hangs_ends_the_turn() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let all = [turns(&address)];
    let (_, before) = one_of(&all);
    let frozen = server.freeze();
    let deadline = Instant::now() + Duration::from_secs(60);
    while all[0].number().is_some() {
        assert!(Instant::now() < deadline, "the turn does not end");
        std::thread::yield_now();
    }
    drop(frozen);
    assert_ne!(one_of(&all).1, before);
}
