//! Connections to the database, and the work that is done with them.

use std::fmt;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};
use postgres::{Client, NoTls};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::address::Address;
use crate::error::StoreError;
use crate::schema;
use crate::tls::{Roots, connector};

/// The most connections of one process.
const MAX_CONNECTIONS: usize = 16;

/// Idle connections above this number are closed.
const MAX_IDLE: usize = 8;

/// How long work is tried again while the database is away. Once it has been away for so long, further
/// work is tried once, so that requests do not queue up.
const RETRY_TIMEOUT: Duration = Duration::from_secs(3);

/// The first pause between two attempts, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(500);

/// A database with the schema of this program. Share it in an `Arc`.
pub struct Database {
    address: Address,
    tls: Option<MakeRustlsConnect>,
    pool: Mutex<Pool>,
    returned: Condvar,
}

#[derive(Default)]
struct Pool {
    idle: Vec<Client>,
    open: usize,
    /// Whether the last work failed because the database was away.
    is_away: bool,
}

impl Database {
    /// Connects, and makes or migrates the schema.
    ///
    /// Errors: the database cannot be reached or refuses, or a newer release wrote the schema.
    pub fn open(address: Address, roots: &Roots) -> Result<Self, registry::journal::JournalError> {
        let database = Self::connect(address, roots)?;
        apart(|| database.run(schema::bring_up_to_date))?;
        Ok(database)
    }

    /// Whether the database has a journal. Nothing is changed.
    ///
    /// Errors: the database cannot be reached.
    pub fn has_journal(address: Address, roots: &Roots) -> Result<bool, registry::journal::JournalError> {
        let database = Self::connect(address, roots)?;
        Ok(apart(|| database.run(schema::exists))?)
    }

    fn connect(address: Address, roots: &Roots) -> Result<Self, StoreError> {
        let tls = address.needs_tls().then(|| connector(roots)).transpose();
        let tls =
            tls.map_err(|why| StoreError::Storage(format!("a root certificate cannot be used: {why}")))?;
        Ok(Self { address, tls, pool: Mutex::default(), returned: Condvar::new() })
    }

    /// Does `work` in a transaction, which is committed if `work` succeeds.
    ///
    /// `work` runs again if the connection breaks, or if PostgreSQL asks for it. If it breaks during the
    /// commit, nobody knows whether the work was done, and that is an error.
    pub(crate) fn write<T: Send, E: From<StoreError> + Send>(
        &self,
        mut work: impl FnMut(&mut Client) -> Result<T, StoreError> + Send,
    ) -> Result<T, E> {
        Ok(self.write_or_tell(move |client| work(client), || Ok(None))?)
    }

    /// Like [`Database::write`]. If the connection breaks during the commit, `find_out` looks whether the
    /// work was done: it returns the result, or None.
    pub(crate) fn write_or_tell<T: Send>(
        &self,
        mut work: impl FnMut(&mut Client) -> Result<T, StoreError> + Send,
        find_out: impl FnOnce() -> Result<Option<T>, StoreError> + Send,
    ) -> Result<T, StoreError> {
        let mut is_uncertain = false;
        let done = apart(|| {
            self.run(|client| {
                client.batch_execute("BEGIN")?;
                let done = work(client)?;
                if let Err(error) = client.batch_execute("COMMIT") {
                    let error = StoreError::from(error);
                    is_uncertain = error.is_transient();
                    let StoreError::Database(error) = error else { return Err(error) };
                    return Err(StoreError::Storage(crate::error::describe(&error)));
                }
                Ok(done)
            })
        });
        match done {
            Err(error) if is_uncertain => find_out()?.ok_or(error),
            done => done,
        }
    }

    /// Does `work` that only reads, in single statements.
    pub(crate) fn read<T: Send, E: From<StoreError> + Send>(
        &self,
        work: impl FnMut(&mut Client) -> Result<T, StoreError> + Send,
    ) -> Result<T, E> {
        Ok(apart(|| self.run(work))?)
    }

    /// Does `work` with a connection that nobody else uses meanwhile. Tries again while the database is
    /// away.
    fn run<T>(&self, mut work: impl FnMut(&mut Client) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let patience = if self.pool.lock().is_away { Duration::ZERO } else { RETRY_TIMEOUT };
        let (begin, mut pause) = (Instant::now(), FIRST_PAUSE);
        loop {
            let error = match self.attempt(&mut work) {
                Err(error) if error.is_transient() => error,
                done => {
                    self.pool.lock().is_away = false;
                    return done;
                }
            };
            // The other idle connections are probably broken, too.
            self.drop_idle();
            if begin.elapsed() >= patience {
                self.pool.lock().is_away = true;
                return Err(error);
            }
            thread::sleep(pause);
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    fn attempt<T>(&self, work: impl FnOnce(&mut Client) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let mut lease = Lease { database: self, client: None };
        lease.client = match self.take() {
            Some(client) => Some(client),
            None => Some(self.connect_once()?),
        };
        let Some(client) = &mut lease.client else { return Err(StoreError::Storage("no connection".into())) };
        let done = work(client);
        // A transaction that failed must not be continued by others.
        if done.is_err() && client.batch_execute("ROLLBACK").is_err() {
            lease.client = None;
        }
        done
    }

    /// Waits until this process may have one more connection. Returns an idle one, if there is any.
    fn take(&self) -> Option<Client> {
        let mut pool = self.pool.lock();
        loop {
            if let Some(client) = pool.idle.pop() {
                if client.is_closed() {
                    continue;
                }
                pool.open += 1;
                return Some(client);
            }
            if pool.open < MAX_CONNECTIONS {
                pool.open += 1;
                return None;
            }
            self.returned.wait(&mut pool);
        }
    }

    fn connect_once(&self) -> Result<Client, StoreError> {
        let config = &self.address.config;
        Ok(match &self.tls {
            Some(tls) => config.connect(tls.clone())?,
            None => config.connect(NoTls)?,
        })
    }

    fn drop_idle(&self) {
        let idle = std::mem::take(&mut self.pool.lock().idle);
        drop(idle);
    }
}

/// A place in the pool. Dropping it gives the connection back.
struct Lease<'d> {
    database: &'d Database,
    client: Option<Client>,
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut pool = self.database.pool.lock();
        pool.open -= 1;
        let excess = match self.client.take() {
            Some(client) if pool.idle.len() < MAX_IDLE && !client.is_closed() => {
                pool.idle.push(client);
                None
            }
            other => other,
        };
        drop(pool);
        self.database.returned.notify_one();
        drop(excess);
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        // Closing a connection waits, which a thread of a runtime must not.
        let idle = std::mem::take(&mut self.pool.get_mut().idle);
        apart(move || drop(idle));
    }
}

/// Does `work` on a thread that belongs to no runtime. The client has a runtime of its own, and runtimes
/// cannot be nested.
pub(crate) fn apart<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if tokio::runtime::Handle::try_current().is_err() {
        return work();
    }
    thread::scope(|threads| match threads.spawn(work).join() {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic),
    })
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
