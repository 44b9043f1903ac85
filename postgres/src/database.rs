//! Connections to the database, and the work that is done with them.

use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use tokio::runtime::{self, Handle, Runtime};
use tokio_postgres::NoTls;
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Address;
use crate::connection::Connection;
use crate::error::StoreError;
use crate::listener::listen;
use crate::schema;
use crate::tls::{Roots, connector};

/// The most connections of one process.
const MAX_CONNECTIONS: usize = 16;

/// Idle connections above this number are closed.
const MAX_IDLE: usize = 8;

/// How long work is tried again while the database is away. Once it has been away for so long, further
/// work is tried once, so that requests do not queue up.
const RETRY_TIMEOUT: Duration = Duration::from_secs(3);

/// How long an answer of the database is awaited. The longest statement that the program sends reads
/// 10,000 rows, and an append waits for those before it.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(10);

/// How long it is awaited while the database is known to be away.
const AWAY_TIMEOUT: Duration = Duration::from_secs(1);

/// The first pause between two attempts, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A database with the schema of this program. Share it in an `Arc`.
pub struct Database {
    address: Address,
    /// Names this process in its notifications.
    pub(crate) sender: String,
    tls: Option<MakeRustlsConnect>,
    /// Carries the connections. None only while it is dropped.
    runtime: Option<Runtime>,
    handle: Handle,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Connection>,
    open: usize,
    /// Whether the last work failed because the database was away.
    is_away: bool,
    /// Until then nothing is tried, because the database did not answer just now. Otherwise requests that wait
    /// for each other would each wait for an answer, too.
    rests_until: Option<Instant>,
}

impl Database {
    /// Connects, and makes or migrates the schema.
    ///
    /// Errors: the database cannot be reached or refuses, or a newer release wrote the schema.
    pub fn open(address: Address, roots: &Roots) -> Result<Self, registry::journal::JournalError> {
        let database = Self::connect(address, roots)?;
        database.run(schema::bring_up_to_date)?;
        Ok(database)
    }

    /// Whether the database has a journal. Nothing is changed.
    ///
    /// Errors: the database cannot be reached.
    pub fn has_journal(address: Address, roots: &Roots) -> Result<bool, registry::journal::JournalError> {
        let database = Self::connect(address, roots)?;
        Ok(database.run(schema::exists)?)
    }

    /// The database at an address. Nothing is sent yet.
    pub(crate) fn connect(address: Address, roots: &Roots) -> Result<Self, StoreError> {
        let tls = address.needs_tls().then(|| connector(roots)).transpose();
        let tls =
            tls.map_err(|why| StoreError::Storage(format!("a root certificate cannot be used: {why}")))?;
        let mut runtime = runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(1).thread_name("postgres").enable_all().build()?;
        let (handle, runtime) = (runtime.handle().clone(), Some(runtime));
        let sender = RandomState::new().hash_one(()).to_string();
        Ok(Self { address, sender, tls, runtime, handle, pool: Mutex::default(), returned: Condvar::new() })
    }

    /// Calls `wake` from now on when another process has appended a row, with a connection besides the others.
    pub(crate) fn listen(&self, wake: Arc<dyn Fn() + Send + Sync>) {
        let (config, own) = ((*self.address.config).clone(), self.sender.clone());
        match &self.tls {
            Some(tls) => drop(self.handle.spawn(listen(config, tls.clone(), own, wake))),
            None => drop(self.handle.spawn(listen(config, NoTls, own, wake))),
        }
    }

    /// Does `work` in a transaction, which is committed if `work` succeeds.
    ///
    /// `work` runs again if the connection breaks, or if PostgreSQL asks for it. If it breaks during the
    /// commit, nobody knows whether the work was done, and that is an error.
    pub(crate) fn write<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, E> {
        self.transaction("BEGIN", work)
    }

    /// Does `work` as [`Database::write`] does, in a transaction that the statements `begin` begin.
    pub(crate) fn transaction<T, E: From<StoreError>>(
        &self,
        begin: &str,
        mut work: impl FnMut(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, E> {
        let done = self.run(|connection| {
            connection.batch_execute(begin)?;
            let done = work(connection)?;
            connection.batch_execute("COMMIT").map_err(StoreError::without_retry)?;
            Ok(done)
        });
        Ok(done?)
    }

    /// Does `work`, which may be repeated if the connection breaks: it changes nothing, or the same again.
    pub(crate) fn read<T, E: From<StoreError>>(
        &self,
        work: impl FnMut(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, E> {
        Ok(self.run(work)?)
    }

    /// Does `work` with a connection that nobody else uses meanwhile. Tries again while the database is
    /// away.
    fn run<T>(
        &self,
        mut work: impl FnMut(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let (is_away, rests_until) = {
            let pool = self.pool.lock();
            (pool.is_away, pool.rests_until)
        };
        if rests_until.is_some_and(|until| Instant::now() < until) {
            return Err(StoreError::Silent(AWAY_TIMEOUT));
        }
        let (patience, limit) = match is_away {
            true => (Duration::ZERO, AWAY_TIMEOUT),
            false => (RETRY_TIMEOUT, ANSWER_TIMEOUT),
        };
        let (begin, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let error = match self.attempt(limit, &mut work) {
                Err(error) if error.is_transient() => error,
                done => {
                    self.pool.lock().is_away = false;
                    return done;
                }
            };
            if !error.is_conflict() {
                // The other idle connections are probably broken, too.
                self.drop_idle();
            }
            if begin.elapsed() >= patience {
                let mut pool = self.pool.lock();
                pool.is_away = !error.is_conflict();
                if matches!(error, StoreError::Silent(_)) {
                    pool.rests_until = Some(Instant::now() + AWAY_TIMEOUT);
                }
                return Err(error.of(&self.address));
            }
            thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn attempt<T>(
        &self,
        limit: Duration,
        work: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut lease = Lease { database: self, connection: self.take(limit)? };
        let connection = match lease.connection.take() {
            Some(connection) => connection,
            None => self.connect_once(limit)?,
        };
        let connection = lease.connection.insert(connection);
        connection.set_limit(limit);
        let done = work(connection);
        // A transaction that failed must not be continued by others.
        if done.is_err() && connection.batch_execute("ROLLBACK").is_err() {
            lease.connection = None;
        }
        done
    }

    /// Waits until this process may have one more connection. Returns an idle one, if there is any.
    fn take(&self, limit: Duration) -> Result<Option<Connection>, StoreError> {
        let mut pool = self.pool.lock();
        loop {
            if let Some(connection) = pool.idle.pop() {
                if connection.is_closed() {
                    continue;
                }
                pool.open += 1;
                return Ok(Some(connection));
            }
            if pool.open < MAX_CONNECTIONS {
                pool.open += 1;
                return Ok(None);
            }
            if self.returned.wait_for(&mut pool, limit).timed_out() {
                return Err(StoreError::Silent(limit));
            }
        }
    }

    /// Makes a connection besides those of the pool, or one for the pool.
    pub(crate) fn connect_once(&self, limit: Duration) -> Result<Connection, StoreError> {
        let config = &self.address.config;
        match &self.tls {
            Some(tls) => Connection::open(config, tls.clone(), &self.handle, limit),
            None => Connection::open(config, NoTls, &self.handle, limit),
        }
    }

    fn drop_idle(&self) {
        let idle = std::mem::take(&mut self.pool.lock().idle);
        drop(idle);
    }
}

/// A place in the pool. Dropping it gives the connection back.
struct Lease<'d> {
    database: &'d Database,
    connection: Option<Connection>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut pool = self.database.pool.lock();
        pool.open -= 1;
        if let Some(connection) = self.connection.take()
            && pool.idle.len() < MAX_IDLE
            && !connection.is_closed()
        {
            pool.idle.push(connection);
        }
        drop(pool);
        self.database.returned.notify_one();
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Dropping a runtime waits, which a thread of another runtime must not.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address.fmt(f)
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("address", &self.address).finish_non_exhaustive()
    }
}
