//! The table of uploads of single files.
//!
//! It is written on a connection of its own: sessions and passwords are read while megabytes are written,
//! and a power loss may take the latest uploads with it, so no commit waits for the disk.

use rusqlite::{OptionalExtension, Row, params};

use super::{SqliteLocal, write_to};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{
    FileUploadUsage, FileUploads, LocalError, NewFileUpload, PersonUploads, StoredContent, StoredFileUpload,
    UploadsFull,
};
use crate::names::{Digest, Handle};

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS file_uploads(
        ticket TEXT PRIMARY KEY, person TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL,
        sha256 TEXT NOT NULL, ends_at INTEGER NOT NULL, answer TEXT, content BLOB
    ) STRICT;
    CREATE INDEX IF NOT EXISTS file_uploads_waiting ON file_uploads(person, size, answer) WHERE answer IS NULL;
    CREATE INDEX IF NOT EXISTS file_uploads_ends ON file_uploads(ends_at);
";

impl FileUploads for SqliteLocal {
    fn announce_file(&self, upload: &NewFileUpload<'_>) -> Result<Option<UploadsFull>, LocalError> {
        let NewFileUpload { ticket, file, ends_at, limits } = upload;
        write_to(&self.unsynced, |transaction| {
            if usage(transaction, &file.person)?.is_exceeded(limits, file.size) {
                return Ok(Some(UploadsFull::OfPerson));
            }
            let entries = limits.files.saturating_mul(2);
            for (counted, max) in [(WAITING, limits.files), (ALL, entries)] {
                if let Err(full) = make_room(transaction, counted, file.person.as_str(), 1, max)? {
                    undo(transaction)?;
                    return Ok(Some(full));
                }
            }
            let insert = "INSERT INTO file_uploads(ticket, person, path, size, sha256, ends_at)
                          VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
            let (size, sha256) = (to_sql(file.size), file.sha256.to_string());
            let ticket = ticket.to_string();
            let values = params![ticket, file.person.as_str(), file.path, size, sha256, ends_at.as_unix()];
            transaction.prepare_cached(insert)?.execute(values)?;
            Ok(None)
        })
    }

    fn file_uploads(&self, tickets: &[Digest]) -> Result<Vec<StoredFileUpload>, LocalError> {
        let connection = self.unsynced.lock();
        let mut select = connection.prepare_cached(
            "SELECT ticket, person, path, size, sha256, ends_at, content IS NOT NULL, answer
             FROM file_uploads WHERE ticket = ?1",
        )?;
        let found = tickets.iter().map(|ticket| select.query_row([ticket.to_string()], upload).optional());
        let found: Vec<_> = found.collect::<Result<_, _>>()?;
        Ok(found.into_iter().flatten().collect())
    }

    fn store_file(
        &self,
        ticket: &Digest,
        content: &[u8],
        max_bytes: u64,
    ) -> Result<StoredContent, LocalError> {
        let ticket = ticket.to_string();
        write_to(&self.unsynced, |transaction| {
            // An earlier content does not count any more.
            let begin = "UPDATE file_uploads SET content = NULL WHERE ticket = ?1 AND answer IS NULL RETURNING person";
            let person = transaction.query_row(begin, [&ticket], |row| row.get::<_, String>(0)).optional()?;
            let Some(person) = person else { return Ok(StoredContent::Unknown) };
            if make_room(transaction, SENT, &person, content.len() as u64, max_bytes)?.is_err() {
                undo(transaction)?;
                return Ok(StoredContent::Full);
            }
            transaction.execute(
                "UPDATE file_uploads SET content = ?2 WHERE ticket = ?1",
                params![ticket, content],
            )?;
            Ok(StoredContent::Stored)
        })
    }

    fn file_content(&self, ticket: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        let select = "SELECT content FROM file_uploads WHERE ticket = ?1";
        let connection = self.unsynced.lock();
        let mut statement = connection.prepare_cached(select)?;
        Ok(statement.query_row([ticket.to_string()], |row| row.get(0)).optional()?.flatten())
    }

    fn finish_files(&self, tickets: &[Digest], answer: &str) -> Result<(), LocalError> {
        let Some((first, others)) = tickets.split_first() else { return Ok(()) };
        write_to(&self.unsynced, |transaction| {
            let mut delete = transaction.prepare_cached("DELETE FROM file_uploads WHERE ticket = ?1")?;
            for ticket in others {
                delete.execute([ticket.to_string()])?;
            }
            let update = "UPDATE file_uploads SET answer = ?2, content = NULL WHERE ticket = ?1";
            transaction.execute(update, params![first.to_string(), answer])?;
            Ok(())
        })
    }

    fn forget_files(&self, until: i64) -> Result<(), LocalError> {
        let delete = "DELETE FROM file_uploads WHERE ends_at <= ?1";
        self.unsynced.lock().prepare_cached(delete)?.execute([until])?;
        Ok(())
    }
}

fn usage(transaction: &rusqlite::Transaction<'_>, person: &Handle) -> Result<FileUploadUsage, LocalError> {
    let select =
        "SELECT coalesce(sum(size), 0), count(*) FROM file_uploads WHERE answer IS NULL AND person = ?1";
    let usage = transaction.prepare_cached(select)?.query_row([person.as_str()], |row| {
        Ok(FileUploadUsage { bytes: read_u64(row, 0)?, files: read_u64(row, 1)? })
    });
    Ok(usage?)
}

/// Takes back what this transaction has removed: a refused upload changes nothing.
fn undo(transaction: &rusqlite::Transaction<'_>) -> Result<(), LocalError> {
    Ok(transaction.execute_batch("ROLLBACK; BEGIN")?)
}

/// The announced files.
const WAITING: &str = "count(*), min(ends_at), ticket FROM file_uploads WHERE answer IS NULL";
/// The announced files, and the answers of publications.
const ALL: &str = "count(*), min(ends_at), ticket FROM file_uploads";
/// The bytes that were sent.
const SENT: &str = "sum(size), min(ends_at), ticket FROM file_uploads WHERE content IS NOT NULL";

/// Removes uploads until there is room for `amount` more. After a refusal, some may be removed: see [`undo`].
fn make_room(
    transaction: &rusqlite::Transaction<'_>,
    counted: &str,
    person: &str,
    amount: u64,
    max: u64,
) -> Result<Result<(), UploadsFull>, LocalError> {
    loop {
        // SQLite takes the bare column from the row with the minimum.
        let select = format!("SELECT person, {counted} GROUP BY person");
        let mut statement = transaction.prepare_cached(&select)?;
        let all = statement.query_map([], |row| {
            let oldest = (row.get(2)?, row.get(3)?);
            Ok(PersonUploads { person: row.get(0)?, amount: read_u64(row, 1)?, oldest })
        });
        let all: Vec<_> = all?.collect::<Result<_, _>>()?;
        match PersonUploads::room(&all, person, amount, max) {
            Ok(None) => return Ok(Ok(())),
            Err(full) => return Ok(Err(full)),
            Ok(Some(ticket)) => {
                transaction.execute("DELETE FROM file_uploads WHERE ticket = ?1", [ticket])?;
            }
        }
    }
}

fn upload(row: &Row<'_>) -> rusqlite::Result<StoredFileUpload> {
    Ok(StoredFileUpload {
        ticket: row.get(0)?,
        person: row.get(1)?,
        path: row.get(2)?,
        size: read_u64(row, 3)?,
        sha256: row.get(4)?,
        ends_at: row.get(5)?,
        has_content: row.get(6)?,
        answer: row.get(7)?,
    })
}
