//! A process whose connection breaks silently in the middle of an append, as by a pulled cable.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use registry::journal::{Journal, JournalError};

use super::server::PostgresServer;
use super::{journal, row};

/// The socket of a database in its folder.
const SOCKET: &str = ".s.PGSQL.5432";

/// Takes connections at the socket `from` and carries them to `to`, until a client appends a row. From there on nothing
/// is passed on, in either direction, and no connection is closed.
fn carry_until_append(from: &Path, to: &Path) -> Arc<AtomicBool> {
    let listener = UnixListener::bind(from).unwrap();
    let (to, is_cut) = (to.to_owned(), Arc::new(AtomicBool::new(false)));
    let cut = Arc::clone(&is_cut);
    std::thread::spawn(move || {
        for near in listener.incoming().map_while(Result::ok) {
            let far = UnixStream::connect(&to).unwrap();
            let ends = [(near.try_clone().unwrap(), far.try_clone().unwrap()), (far, near)];
            for (from, to) in ends {
                let cut = Arc::clone(&cut);
                std::thread::spawn(move || carry(from, to, &cut));
            }
        }
    });
    is_cut
}

fn carry(mut from: UnixStream, mut to: UnixStream, cut: &AtomicBool) {
    let (word, mut bytes) = (b"append_row", [0; 16 * 1024]);
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if cut.load(Ordering::SeqCst) {
            continue;
        }
        let sent = &bytes[..count];
        let end = sent.windows(word.len()).position(|window| window == word);
        to.write_all(&sent[..end.unwrap_or(count)]).unwrap();
        if end.is_some() {
            cut.store(true, Ordering::SeqCst);
        }
    }
}

#[test]
fn server_that_is_cut_off_within_an_append_does_not_stop_the_others() {
    let server = PostgresServer::start();
    let (name, address) = server.database();
    let here = journal(&address);
    here.append(&row(1)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let cut = carry_until_append(&folder.path().join(SOCKET), &server.folder().join(SOCKET));
    let socket = folder.path().to_str().unwrap().replace('/', "%2F");
    let there = journal(&format!("postgres://postgres@{socket}/{name}"));
    std::thread::scope(|threads| {
        let refused = threads.spawn(|| there.append(&row(2)).unwrap_err());
        while !cut.load(Ordering::SeqCst) {
            assert!(!refused.is_finished(), "it was not cut off");
            std::thread::yield_now();
        }
        here.append(&row(2)).unwrap();
        let refused = refused.join().unwrap();
        assert!(matches!(refused, JournalError::Storage(_)), "{refused}");
    });
    assert_eq!(here.since(0, 9).unwrap(), [row(1), row(2)]);
}
