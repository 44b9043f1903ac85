//! Turns to write the bucket of the tree: one of all servers with a database has one at a time.
//!
//! The turn is an advisory lock in a transaction that stays open, on a connection of its own, so it also works behind a
//! pooler. The server that has it asks the database every second. PostgreSQL ends a transaction that says nothing for
//! [`HOLDER_TIMEOUT`], and that of a connection which breaks.
//!
//! # Why two servers never believe that they have the turn
//!
//! A server believes so for [`BELIEF`] since it sent the last question that was answered. Another one gets the lock
//! only after the transaction of the first has ended, so after that answer, and waits for [`BELIEF`] before its turn
//! begins. Each server measures durations by its own clocks.
//!
//! A request to the bucket that was sent before may still be done later. So the writer compares the bucket again after
//! some minutes (`bucket/src/upload/turn.rs`).

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant, SystemTime};

use parking_lot::Mutex;
use registry::journal::JournalError;

use crate::address::Address;
use crate::connection::Connection;
use crate::database::Database;
use crate::error::StoreError;
use crate::params::{params, read};
use crate::schema::TURN_LOCK;
use crate::tls::Roots;

/// How often a server asks for the turn, or whether it still has it.
const ASK_INTERVAL: Duration = Duration::from_secs(1);

/// How long an answer counts since its question was sent.
const BELIEF: Duration = Duration::from_secs(4);

/// How long PostgreSQL waits for the next question of the server that has the lock. Longer than [`BELIEF`].
const HOLDER_TIMEOUT: &str = "5s";

/// How long an answer is awaited.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

/// The turns of this process.
pub struct Turns {
    database: Arc<Database>,
    asking: Mutex<Option<Asking>>,
}

/// The thread that asks. Dropping it ends the thread and the turn.
struct Asking {
    turn: Arc<Mutex<Option<Turn>>>,
    _end: Sender<()>,
}

/// A turn of this process.
#[derive(Clone, Copy)]
struct Turn {
    number: u64,
    /// When it got the lock.
    since: Moment,
    /// When the last question was sent that was answered.
    asked: Moment,
}

/// A point in time, by two clocks.
#[derive(Clone, Copy)]
struct Moment {
    clock: Instant,
    wall: SystemTime,
}

impl Moment {
    fn now() -> Self {
        Self { clock: Instant::now(), wall: SystemTime::now() }
    }

    /// The longer of two durations. The first clock stands still while the machine sleeps, and the second
    /// one may be set back.
    fn elapsed(&self) -> Duration {
        self.clock.elapsed().max(self.wall.elapsed().unwrap_or_default())
    }
}

impl Turns {
    /// Turns that the database at this address gives. Nothing is sent yet.
    ///
    /// Errors: the root certificates cannot be used.
    pub fn of(address: Address, roots: &Roots) -> Result<Self, JournalError> {
        Ok(Self { database: Arc::new(Database::connect(address, roots)?), asking: Mutex::default() })
    }

    /// The number of the turn of this process, if it has one now. The first call begins to ask.
    pub fn number(&self) -> Option<u64> {
        let mut asking = self.asking.lock();
        let asking = asking.get_or_insert_with(|| Asking::begin(&self.database));
        let turn = *asking.turn.lock();
        turn.filter(|turn| turn.asked.elapsed() < BELIEF && turn.since.clock.elapsed() >= BELIEF)
            .map(|turn| turn.number)
    }

    /// Ends the turn, so that another server gets the next one.
    pub fn end(&self) {
        *self.asking.lock() = None;
    }
}

impl Asking {
    fn begin(database: &Arc<Database>) -> Self {
        let (database, turn) = (Arc::clone(database), Arc::default());
        let (its, (end, ended)) = (Arc::clone(&turn), channel());
        std::thread::spawn(move || ask(&database, &its, &ended));
        Self { turn, _end: end }
    }
}

/// Asks until `ended` has no sender any more.
fn ask(database: &Database, turn: &Mutex<Option<Turn>>, ended: &Receiver<()>) {
    let (mut lock, mut number) = (Lock::default(), 0);
    loop {
        let asked = Moment::now();
        // Other work meets the failure of the database, and tells it.
        let has_it = lock.ask(database).unwrap_or_default();
        let mut turn = turn.lock();
        let before = turn.filter(|before| before.asked.elapsed() < BELIEF);
        *turn = has_it.then(|| match before {
            Some(before) => Turn { asked, ..before },
            None => {
                number += 1;
                Turn { number, since: Moment::now(), asked }
            }
        });
        drop(turn);
        if ended.recv_timeout(ASK_INTERVAL) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
}

/// A connection that asks for the lock.
#[derive(Default)]
struct Lock {
    connection: Option<Connection>,
    /// Whether it has the lock, in a transaction.
    is_held: bool,
}

impl Lock {
    /// Asks for the lock, or whether the connection still has it.
    fn ask(&mut self, database: &Database) -> Result<bool, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => {
                self.is_held = false;
                database.connect_once(ANSWER_TIMEOUT)?
            }
        };
        if self.is_held {
            connection.batch_execute("SELECT 1")?;
        } else {
            self.is_held = take(&mut connection)?;
        }
        // After a failure it is dropped, and with it the lock.
        self.connection = Some(connection);
        Ok(self.is_held)
    }
}

/// Begins a transaction that takes the lock, unless another process has it.
fn take(connection: &mut Connection) -> Result<bool, StoreError> {
    // At this level an open transaction keeps no snapshot, so old rows can be removed meanwhile.
    connection.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED")?;
    let take =
        "SELECT pg_try_advisory_xact_lock($1), set_config('idle_in_transaction_session_timeout', $2, true)";
    let taken: bool = read(&connection.query_one(take, params![INT8 TURN_LOCK, TEXT HOLDER_TIMEOUT])?, 0)?;
    if !taken {
        connection.batch_execute("ROLLBACK")?;
    }
    Ok(taken)
}

impl fmt::Debug for Turns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Turns").field("database", &self.database).finish_non_exhaustive()
    }
}
