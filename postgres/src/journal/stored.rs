//! Reads and writes single rows.

use registry::journal::{Epoch, PublicRow, Revision, Row, chain};
use registry::names::Digest;
use registry::time::Timestamp;
use tokio_postgres::Row as SqlRow;

use crate::connection::Connection;
use crate::error::StoreError;
use crate::listener::CHANNEL;
use crate::params::{params, read, read_bytes, read_u64, to_sql};
use crate::schema::APPEND_LOCK;

/// The part of the last row that an append needs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Last {
    pub(super) revision: Revision,
    pub(super) at: Option<Timestamp>,
    pub(super) link: Digest,
}

/// How long PostgreSQL waits for the next statement of a process that has the lock. A server that is cut off or
/// hangs then must not keep the others from writing: they wait for an answer longer than this.
const HOLDER_TIMEOUT: &str = "5s";

/// Waits until no other process appends, until the end of the transaction. A setting of the server must not
/// make commits lossy.
pub(super) fn lock(connection: &mut Connection) -> Result<(), StoreError> {
    let lock =
        "SELECT pg_advisory_xact_lock($1), set_config('idle_in_transaction_session_timeout', $2, true),
                CASE current_setting('synchronous_commit')
                WHEN 'off' THEN set_config('synchronous_commit', 'on', true) END";
    connection.query(lock, params![INT8 APPEND_LOCK, TEXT HOLDER_TIMEOUT])?;
    Ok(())
}

/// Like [`lock`], for work that takes long. The system of the database notices within half a minute that this
/// machine is gone; a process that hangs keeps the lock.
pub(super) fn lock_for_work(connection: &mut Connection) -> Result<(), StoreError> {
    lock(connection)?;
    connection.query(
        "SELECT set_config('idle_in_transaction_session_timeout', '0', true),
         set_config('tcp_keepalives_idle', '10', true), set_config('tcp_keepalives_interval', '5', true),
         set_config('tcp_keepalives_count', '3', true)",
        &[],
    )?;
    Ok(())
}

/// The last row, or revision 0 in an empty journal.
pub(super) fn last_row(connection: &mut Connection) -> Result<Last, StoreError> {
    let select = "SELECT revision, at, chain FROM skillmirror.rows ORDER BY revision DESC LIMIT 1";
    let found = connection.query_opt(select, &[])?;
    Ok(match found {
        None => Last { revision: 0, at: None, link: chain::root() },
        Some(row) => {
            Last { revision: read_u64(&row, 0)?, at: Some(time(&row, 1)?), link: read_bytes(&row, 2)?.into() }
        }
    })
}

/// Inserts a row behind `last`, in one statement that is a transaction. Returns false if another row is the last one.
///
/// The notification is only a wake-up, and names its `sender`: others look at the table, too.
pub(super) fn insert_behind(
    connection: &mut Connection,
    last: &Last,
    row: &Row,
    link: Digest,
    sender: &str,
) -> Result<bool, StoreError> {
    let append = "SELECT skillmirror.append_row($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    let public = row.public.as_ref().map(|public| public.json.as_bytes());
    let lock_timeout = connection.lock_timeout();
    let appended = connection.query_one(
        append,
        params![
            INT8 to_sql(last.revision),
            BYTEA last.link.as_bytes().as_slice(),
            INT8 to_sql(row.revision),
            INT8 row.at.as_unix(),
            BYTEA row.private.as_bytes(),
            BYTEA public,
            BYTEA link.as_bytes().as_slice(),
            INT8 APPEND_LOCK,
            TEXT lock_timeout,
            TEXT CHANNEL,
            TEXT sender,
        ],
    );
    read(&appended?, 0)
}

/// Inserts a row. Returns its link.
pub(super) fn insert(connection: &mut Connection, previous: Digest, row: &Row) -> Result<Digest, StoreError> {
    let link = chain::link(previous, row);
    let insert =
        "INSERT INTO skillmirror.rows(revision, at, private, public, chain) VALUES ($1, $2, $3, $4, $5)";
    let public = row.public.as_ref().map(|public| public.json.as_bytes());
    connection.execute(
        insert,
        params![
            INT8 to_sql(row.revision),
            INT8 row.at.as_unix(),
            BYTEA row.private.as_bytes(),
            BYTEA public,
            BYTEA link.as_bytes().as_slice(),
        ],
    )?;
    Ok(link)
}

/// Inserts what every write needs, a row and its count, and takes them back: a database that is full or read-only can
/// still be read. The row has 64 KiB that cannot be compressed, and a number that no journal reaches. So nobody else
/// waits for it.
pub(super) fn try_insert(connection: &mut Connection) -> Result<(), StoreError> {
    let lock_timeout = connection.lock_timeout();
    let statements = format!(
        "BEGIN; SET LOCAL lock_timeout = '{lock_timeout}';
         SET LOCAL idle_in_transaction_session_timeout = '{HOLDER_TIMEOUT}';
         INSERT INTO skillmirror.rows SELECT {}, 0, string_agg(sha256(n::text::bytea), ''), NULL, sha256('')
             FROM generate_series(1, 2048) AS n;
         INSERT INTO skillmirror.write_counts VALUES ('probe', 0);
         ROLLBACK",
        i64::MAX
    );
    // The next probe is the next try.
    connection.batch_execute(&statements).map_err(StoreError::without_retry)
}

pub(super) fn meta(connection: &mut Connection, key: &str) -> Result<Option<String>, StoreError> {
    let select = "SELECT value FROM skillmirror.meta WHERE key = $1";
    connection.query_opt(select, params![TEXT key])?.map(|row| read(&row, 0)).transpose()
}

pub(super) fn epoch(connection: &mut Connection) -> Result<Epoch, StoreError> {
    let is_epoch =
        |text: &String| text.len() == 32 && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
    meta(connection, "epoch")?.filter(is_epoch).ok_or_else(|| StoreError::Damaged("there is no epoch".into()))
}

pub(super) fn time(row: &SqlRow, column: usize) -> Result<Timestamp, StoreError> {
    Timestamp::from_unix(read(row, column)?)
        .ok_or_else(|| StoreError::Damaged("a row has no valid time".into()))
}

pub(super) fn text(row: &SqlRow, column: usize) -> Result<Option<String>, StoreError> {
    let bytes: Option<Vec<u8>> = read(row, column)?;
    let text = bytes.map(String::from_utf8).transpose();
    text.map_err(|_| StoreError::Damaged("a row is not UTF-8".into()))
}

/// A row and its link, from the columns revision, at, private, public, chain.
pub(super) fn read_row(row: &SqlRow) -> Result<(Row, Digest), StoreError> {
    let revision = read_u64(row, 0)?;
    let private = text(row, 2)?.ok_or_else(|| StoreError::Damaged("a row has no private half".into()))?;
    let public = text(row, 3)?.map(|json| PublicRow::new(revision, json));
    Ok((Row { revision, at: time(row, 1)?, private, public }, read_bytes(row, 4)?.into()))
}

pub(super) fn public_row(row: &SqlRow) -> Result<PublicRow, StoreError> {
    let json = text(row, 1)?.ok_or_else(|| StoreError::Damaged("a public row has no text".into()))?;
    Ok(PublicRow::new(read_u64(row, 0)?, json))
}

/// The link of row `after`, from the sixth column of the row behind it.
pub(super) fn link_before(first: &SqlRow, after: Revision) -> Result<Digest, StoreError> {
    if after == 0 {
        return Ok(chain::root());
    }
    let found: Option<&[u8]> = read(first, 5)?;
    let link = found.and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()).map(Digest::from);
    link.ok_or_else(|| StoreError::Damaged(format!("row {after} is missing")))
}

pub(super) fn named(revision: Revision, error: StoreError) -> StoreError {
    match error {
        StoreError::Damaged(why) => StoreError::Damaged(format!("row {revision}: {why}")),
        other => other,
    }
}
