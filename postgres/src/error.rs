//! Why an operation in the database failed.

use std::time::Duration;

use registry::connection_fault::{certificate_fault, io_fault};
use registry::journal::JournalError;
use registry::local::LocalError;
use tokio_postgres::error::SqlState;

use crate::address::Address;

/// The cause of a failed operation.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// The database, or the way to it.
    Database(tokio_postgres::Error),
    /// The database has not answered for so long.
    Silent(Duration),
    /// The journal refuses.
    Journal(JournalError),
    /// The local data refuse.
    Local(LocalError),
    /// A stored value is not one that was written.
    Damaged(String),
    /// The storage cannot do it now.
    Storage(String),
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        Self::Database(error)
    }
}

impl From<JournalError> for StoreError {
    fn from(error: JournalError) -> Self {
        Self::Journal(error)
    }
}

impl From<LocalError> for StoreError {
    fn from(error: LocalError) -> Self {
        Self::Local(error)
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> Self {
        Self::Storage(error.to_string())
    }
}

impl StoreError {
    /// Whether the same work may succeed on another connection, or a moment later.
    pub(crate) fn is_transient(&self) -> bool {
        let Self::Database(error) = self else { return matches!(self, Self::Silent(_)) };
        match error.code() {
            // The connection is gone, or could not be made.
            None => true,
            Some(code) => {
                [
                    SqlState::ADMIN_SHUTDOWN,
                    SqlState::CRASH_SHUTDOWN,
                    SqlState::CANNOT_CONNECT_NOW,
                    SqlState::TOO_MANY_CONNECTIONS,
                    SqlState::T_R_SERIALIZATION_FAILURE,
                    SqlState::T_R_DEADLOCK_DETECTED,
                    // This process hung while it had the lock.
                    SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT,
                    // A primary that has become a replica.
                    SqlState::READ_ONLY_SQL_TRANSACTION,
                ]
                .contains(code)
                    || code.code().starts_with("08")
            }
        }
    }

    /// Whether only another transaction was in the way.
    pub(crate) fn is_conflict(&self) -> bool {
        let Self::Database(error) = self else { return false };
        let codes = [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED];
        error.code().is_some_and(|code| codes.contains(code))
    }

    /// Makes the error final: the work is not tried again.
    pub(crate) fn without_retry(self) -> Self {
        match self {
            Self::Database(error) => Self::Storage(describe(&error)),
            Self::Silent(limit) => Self::Storage(silence(limit)),
            other => other,
        }
    }

    /// Names the database that cannot be reached.
    pub(crate) fn of(self, address: &Address) -> Self {
        match &self {
            Self::Database(error) if error.as_db_error().is_none() => {
                Self::Storage(format!("the database {address} cannot be reached: {}", unreachable(error)))
            }
            Self::Silent(limit) => Self::Storage(format!("{} ({address})", silence(*limit))),
            _ => self,
        }
    }

    /// The kinds that both seams have.
    fn sort(self) -> Sorted {
        match self {
            Self::Journal(error) => Sorted::Journal(error),
            Self::Local(error) => Sorted::Local(error),
            Self::Damaged(why) => Sorted::Damaged(why),
            Self::Storage(why) => Sorted::Storage(why),
            Self::Silent(limit) => Sorted::Storage(silence(limit)),
            Self::Database(error) => {
                let is_damage = error.code().is_some_and(|code| {
                    [
                        SqlState::UNDEFINED_TABLE,
                        SqlState::UNDEFINED_COLUMN,
                        SqlState::UNDEFINED_FUNCTION,
                        SqlState::INVALID_SCHEMA_NAME,
                    ]
                    .contains(code)
                });
                let why = describe(&error);
                if is_damage { Sorted::Damaged(why) } else { Sorted::Storage(why) }
            }
        }
    }
}

enum Sorted {
    Journal(JournalError),
    Local(LocalError),
    Damaged(String),
    Storage(String),
}

fn silence(limit: Duration) -> String {
    format!("the database has not answered for {} s", limit.as_secs())
}

/// The error in words. It has no stored value: PostgreSQL puts these into the detail, which is left out.
fn describe(error: &tokio_postgres::Error) -> String {
    let Some(refused) = error.as_db_error() else { return unreachable(error) };
    let (code, message) = (refused.code(), refused.message());
    let remedy = if *code == SqlState::INSUFFICIENT_PRIVILEGE {
        ": grant the rights that docs/several-servers.md lists"
    } else {
        ""
    };
    format!("PostgreSQL says: {message} (SQLSTATE {}){remedy}", code.code())
}

/// Why a connection could not be made, or broke.
fn unreachable(error: &tokio_postgres::Error) -> String {
    let Some(cause) = std::error::Error::source(error) else { return "the connection was closed".to_owned() };
    let text = cause.to_string();
    match (certificate_fault(&text), cause.downcast_ref()) {
        (Some(why), _) => why,
        (None, Some(why)) => io_fault(why),
        (None, None) => text,
    }
}

impl From<StoreError> for JournalError {
    fn from(error: StoreError) -> Self {
        match error.sort() {
            Sorted::Journal(error) => error,
            Sorted::Local(error) => Self::Storage(error.into()),
            Sorted::Damaged(why) => Self::Damaged(
                format!("{why} in PostgreSQL: stop the servers and restore a backup of the database").into(),
            ),
            Sorted::Storage(why) => Self::Storage(why.into()),
        }
    }
}

impl From<StoreError> for LocalError {
    fn from(error: StoreError) -> Self {
        match error.sort() {
            Sorted::Local(error) => error,
            Sorted::Journal(error) => Self::Storage(error.into()),
            Sorted::Damaged(why) => Self::Damaged(why.into()),
            Sorted::Storage(why) => Self::Storage(why.into()),
        }
    }
}
