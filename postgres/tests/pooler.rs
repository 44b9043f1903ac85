//! PgBouncer in transaction mode: each transaction may get another connection.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::os::unix::fs::chown;
use std::os::unix::net::UnixStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use postgres_store::{Roots, Turns};
use registry::journal::{Journal, JournalError};
use registry::local::SessionFacts;
use registry::time::Timestamp;

use super::server::PostgresServer;
use super::{journal, local, row};

struct Pooler(Child);

impl Drop for Pooler {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts PgBouncer with two connections to the server. Returns the address of a database through it.
fn pooler(server: &PostgresServer, database: &str) -> (Pooler, String) {
    let folder = server.folder().join("pooler");
    fs::create_dir(&folder).unwrap();
    let owner = server.folder().metadata().unwrap();
    let config = format!(
        "[databases]\n* = host={}\n[pgbouncer]\nlisten_port = 6432\nunix_socket_dir = {}\nauth_type = any\n\
         pool_mode = transaction\ndefault_pool_size = 2\nserver_lifetime = 1\n\
         [databases]\n{database} = host={} user=postgres\n",
        server.folder().display(),
        folder.display(),
        server.folder().display(),
    );
    fs::write(folder.join("pgbouncer.ini"), config).unwrap();
    for path in [folder.clone(), folder.join("pgbouncer.ini")] {
        chown(path, Some(owner.uid()), Some(owner.gid())).unwrap();
    }
    let log = fs::File::create(folder.join("log")).unwrap();
    let mut program = server.command("pgbouncer");
    program.arg("-q").arg(folder.join("pgbouncer.ini")).stdout(Stdio::null()).stderr(log);
    let pooler = Pooler(program.spawn().unwrap());
    let listens = Instant::now() + Duration::from_secs(60);
    while UnixStream::connect(folder.join(".s.PGSQL.6432")).is_err() {
        assert!(Instant::now() < listens, "it does not listen");
        std::thread::yield_now();
    }
    let socket = folder.to_str().unwrap().replace('/', "%2F");
    (pooler, format!("postgres://postgres@{socket}:6432/{database}"))
}

#[test]
fn stores_work_through_a_pooler_in_transaction_mode() {
    let server = PostgresServer::start();
    let (name, _) = server.database();
    let (_pooler, address) = pooler(&server, &name);
    let journal = journal(&address);
    std::thread::scope(|threads| {
        for _ in 0..6 {
            threads.spawn(|| {
                for _ in 0..10 {
                    let mut row = row(journal.head().unwrap() + 1);
                    while let Err(error) = journal.append(&row) {
                        let JournalError::Conflict { head } = error else { panic!("{error:?}") };
                        row = super::row(head + 1);
                    }
                }
            });
        }
    });
    journal.check_appendable().unwrap();
    assert_eq!(journal.since(0, 99).unwrap().len(), 60);
    let local = local(&address);
    let ann = "ann".parse().unwrap();
    local.set_password(&ann, "$a$1").unwrap();
    let (now, lifetime) = (Timestamp::now(), Duration::from_secs(99));
    let (key, _) =
        local.begin_session(&ann, Some("$a$1"), &SessionFacts::default(), now, lifetime).unwrap().unwrap();
    assert!(local.session(&key, now).unwrap().is_some());
    let turns = Turns::of(address.parse().unwrap(), &Roots::Builtin).unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while turns.number().is_none() {
        assert!(Instant::now() < deadline, "no server gets a turn");
        std::thread::yield_now();
    }
}
