//! The tables, and how they get to the state that this release needs.

use crate::connection::Connection;

use crate::error::StoreError;
use crate::params::{params, read};

/// The keys of the advisory locks: of a migration, of an append, and of the turn to write the bucket.
pub(crate) const MIGRATION_LOCK: i64 = 0x736b_696c_6c6d_0001;
pub(crate) const APPEND_LOCK: i64 = 0x736b_696c_6c6d_0002;
pub(crate) const TURN_LOCK: i64 = 0x736b_696c_6c6d_0003;

/// The steps from an empty database to the present layout. Step `n` leads to format `n + 1`. From
/// the first release on, steps are added, never changed.
///
/// Texts of rows and values of records are bytes: PostgreSQL's texts have no NUL, and depend on the encoding of the
/// database. An unlogged table is not in the write-ahead log, so nothing waits for the disk. It is empty after
/// a crash of the database: limits start over.
///
/// `append_row` is a function, because a session remembers the plans of its statements, also behind a pooler: an append
/// takes three quarters of the time. It returns false if the last row is another one. A stricter default isolation of the
/// database hides a row of another process from a statement that has waited for the lock: then PostgreSQL reports a
/// conflict, and the statement is sent again.
const STEPS: &[&str] = &["
    CREATE TABLE skillmirror.meta(key text PRIMARY KEY, value text NOT NULL);
    CREATE TABLE skillmirror.rows(
        revision bigint PRIMARY KEY CHECK (revision > 0),
        at bigint NOT NULL,
        private bytea NOT NULL,
        public bytea,
        chain bytea NOT NULL CHECK (length(chain) = 32));
    CREATE INDEX public_rows ON skillmirror.rows(revision) WHERE public IS NOT NULL;
    CREATE FUNCTION skillmirror.append_row(
        last_revision bigint, last_chain bytea, new_revision bigint, new_at bigint, new_private bytea,
        new_public bytea, new_chain bytea, lock_key bigint, longest_wait text, channel text, sender text)
    RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE last record;
    BEGIN
        IF current_setting('synchronous_commit') = 'off' THEN
            PERFORM set_config('synchronous_commit', 'on', true);
        END IF;
        PERFORM set_config('lock_timeout', longest_wait, true);
        PERFORM pg_advisory_xact_lock(lock_key);
        SELECT revision, chain INTO last FROM skillmirror.rows ORDER BY revision DESC LIMIT 1;
        IF coalesce(last.revision, 0) <> last_revision OR last.chain <> last_chain THEN
            RETURN false;
        END IF;
        INSERT INTO skillmirror.rows VALUES (new_revision, new_at, new_private, new_public, new_chain)
        ON CONFLICT DO NOTHING;
        IF FOUND THEN
            PERFORM pg_notify(channel, sender);
        END IF;
        RETURN FOUND;
    END $$;
    CREATE TABLE skillmirror.records(
        space text COLLATE \"C\", key text COLLATE \"C\", value bytea NOT NULL, number bigint NOT NULL, expires bigint,
        PRIMARY KEY (space, key));
    CREATE INDEX records_number ON skillmirror.records(space, number) WHERE number > 0;
    CREATE INDEX records_expires ON skillmirror.records(expires) WHERE expires IS NOT NULL;
    CREATE UNLOGGED TABLE skillmirror.write_counts(key text COLLATE \"C\" PRIMARY KEY, full_at bigint NOT NULL)
        WITH (fillfactor = 50);
    INSERT INTO skillmirror.meta VALUES ('format', '0'), ('epoch', replace(gen_random_uuid()::text, '-', ''));
"];

/// Whether the database has the tables.
pub(crate) fn exists(connection: &mut Connection) -> Result<bool, StoreError> {
    // Not `to_regclass`, which may remember within a transaction what it did not find.
    let select = "SELECT count(*) > 0 FROM pg_catalog.pg_class JOIN pg_catalog.pg_namespace AS n ON n.oid = relnamespace
                  WHERE nspname = 'skillmirror' AND relname = 'meta'";
    read(&connection.query_one(select, &[])?, 0)
}

/// Makes or migrates the tables. One process at a time does so. With the tables of this release nothing
/// is changed, and no right to change them is needed.
pub(crate) fn bring_up_to_date(connection: &mut Connection) -> Result<(), StoreError> {
    loop {
        let before = if exists(connection)? { format(connection)? } else { 0 };
        if before == STEPS.len() {
            return Ok(());
        }
        connection.batch_execute("BEGIN")?;
        connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 MIGRATION_LOCK])?;
        if before == 0 && exists(connection)? {
            // Another process has made them. The next transaction finds them.
            connection.batch_execute("COMMIT")?;
            continue;
        }
        let done = if before == 0 { 0 } else { format(connection)? };
        migrate(connection, done)?;
        connection.batch_execute("COMMIT")?;
    }
}

/// Takes the steps that are not done.
fn migrate(connection: &mut Connection, done: usize) -> Result<(), StoreError> {
    if done == 0 {
        // The owner may have made it, for a role that may make no schema.
        let select = "SELECT count(*) FROM pg_catalog.pg_namespace WHERE nspname = 'skillmirror'";
        if read::<i64>(&connection.query_one(select, &[])?, 0)? == 0 {
            connection.batch_execute("CREATE SCHEMA skillmirror")?;
        }
    }
    for step in STEPS.iter().skip(done) {
        connection.batch_execute(step)?;
    }
    let number = STEPS.len().to_string();
    let update = "UPDATE skillmirror.meta SET value = $1 WHERE key = 'format'";
    connection.execute(update, params![TEXT number])?;
    Ok(())
}

/// The number of the layout.
///
/// Errors: there is none, or a newer release wrote it.
fn format(connection: &mut Connection) -> Result<usize, StoreError> {
    let select = "SELECT value FROM skillmirror.meta WHERE key = 'format'";
    let found = connection.query_opt(select, &[])?;
    let number = found.map(|row| read::<String>(&row, 0)).transpose()?;
    let number = number.ok_or_else(|| StoreError::Damaged("there is no format number".into()))?;
    match number.parse() {
        Ok(format) if (1..=STEPS.len()).contains(&format) => Ok(format),
        _ => {
            let number = number.escape_debug();
            Err(StoreError::Storage(format!(
                "the schema `skillmirror` has format {number}, but this program reads format {}: use the release that \
                 wrote it, or a newer one",
                STEPS.len()
            )))
        }
    }
}
