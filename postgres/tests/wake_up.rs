//! A server hears of the rows of others.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use registry::journal::Journal;

use super::server::PostgresServer;
use super::{journal, row};

#[test]
fn append_wakes_only_other_processes_also_after_a_restart() {
    let server = PostgresServer::start();
    let (_, address) = server.database();
    let (here, there) = (journal(&address), journal(&address));
    let wakes = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&wakes);
    there.on_append(Arc::new(move || {
        count.fetch_add(1, Ordering::SeqCst);
    }));
    let wait = |than: u64| {
        while wakes.load(Ordering::SeqCst) <= than {
            std::thread::yield_now();
        }
    };
    // It listens: rows before that may have been missed.
    wait(0);
    here.append(&row(1)).unwrap();
    wait(1);
    server.end();
    server.begin();
    wait(2);
    here.append(&row(2)).unwrap();
    wait(3);
    // Its own rows do not wake it. Notifications come in the order of the rows.
    let before = wakes.load(Ordering::SeqCst);
    (3..50).for_each(|revision| there.append(&row(revision)).unwrap());
    here.append(&row(50)).unwrap();
    wait(before);
    assert_eq!(wakes.load(Ordering::SeqCst), before + 1);
    assert_eq!(there.head().unwrap(), 50);
}
