//! Uploads of single files.

use registry::local::{
    FileUploadUsage, FileUploads, LocalError, NewFileUpload, PersonUploads, StoredContent, StoredFileUpload,
    UploadsFull,
};
use registry::names::{Digest, Handle};
use tokio_postgres::Row;

use super::PostgresLocal;
use crate::connection::Connection;
use crate::error::StoreError;
use crate::params::{params, read, read_u64, read_utf8, to_sql};
use crate::schema::FILE_UPLOAD_LOCK;

impl FileUploads for PostgresLocal {
    fn announce_file(&self, upload: &NewFileUpload<'_>) -> Result<Option<UploadsFull>, LocalError> {
        let NewFileUpload { ticket, file, ends_at, limits } = upload;
        let (ticket, sha256) = (ticket.to_string(), file.sha256.to_string());
        self.0.write(|connection| {
            // Two servers that add up at the same time would both find room for the last one.
            connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 FILE_UPLOAD_LOCK])?;
            if usage(connection, &file.person)?.is_exceeded(limits, file.size) {
                return Ok(Some(UploadsFull::OfPerson));
            }
            let entries = limits.files.saturating_mul(2);
            for (counted, max) in [(WAITING, limits.files), (ALL, entries)] {
                if let Err(full) = make_room(connection, counted, file.person.as_str(), 1, max)? {
                    undo(connection)?;
                    return Ok(Some(full));
                }
            }
            let insert = "INSERT INTO skillmirror.file_uploads(ticket, person, path, size, sha256, ends_at)
                          VALUES ($1, $2, $3, $4, $5, $6)";
            let values = params![
                TEXT ticket, TEXT file.person.as_str(), BYTEA file.path.as_bytes(), INT8 to_sql(file.size),
                TEXT sha256, INT8 ends_at.as_unix(),
            ];
            connection.execute(insert, values)?;
            Ok(None)
        })
    }

    fn file_uploads(&self, tickets: &[Digest]) -> Result<Vec<StoredFileUpload>, LocalError> {
        let tickets: Vec<_> = tickets.iter().map(ToString::to_string).collect();
        self.0.read(|connection| {
            let select = "SELECT ticket, person, path, size, sha256, ends_at, content IS NOT NULL, answer
                          FROM skillmirror.file_uploads WHERE ticket = ANY($1)";
            connection.query(select, params![TEXT_ARRAY tickets])?.iter().map(upload).collect()
        })
    }

    fn store_file(
        &self,
        ticket: &Digest,
        content: &[u8],
        max_bytes: u64,
    ) -> Result<StoredContent, LocalError> {
        let ticket = ticket.to_string();
        self.0.write(|connection| {
            connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 FILE_UPLOAD_LOCK])?;
            // An earlier content does not count any more.
            let begin =
                "UPDATE skillmirror.file_uploads SET content = NULL WHERE ticket = $1 AND answer IS NULL
                         RETURNING person";
            let Some(row) = connection.query_opt(begin, params![TEXT ticket])? else {
                return Ok(StoredContent::Unknown);
            };
            let person: String = read(&row, 0)?;
            if make_room(connection, SENT, &person, content.len() as u64, max_bytes)?.is_err() {
                undo(connection)?;
                return Ok(StoredContent::Full);
            }
            let update = "UPDATE skillmirror.file_uploads SET content = $2 WHERE ticket = $1";
            connection.execute(update, params![TEXT ticket, BYTEA content])?;
            Ok(StoredContent::Stored)
        })
    }

    fn file_content(&self, ticket: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        let ticket = ticket.to_string();
        self.0.read(|connection| {
            let select = "SELECT content FROM skillmirror.file_uploads WHERE ticket = $1";
            let found = connection.query_opt(select, params![TEXT ticket])?;
            found.map_or(Ok(None), |row| read(&row, 0))
        })
    }

    fn finish_files(&self, tickets: &[Digest], answer: &str) -> Result<(), LocalError> {
        let tickets: Vec<_> = tickets.iter().map(ToString::to_string).collect();
        let Some((first, others)) = tickets.split_first() else { return Ok(()) };
        self.0.write(|connection| {
            let delete = "DELETE FROM skillmirror.file_uploads WHERE ticket = ANY($1)";
            connection.execute(delete, params![TEXT_ARRAY others])?;
            let update = "UPDATE skillmirror.file_uploads SET answer = $2, content = NULL WHERE ticket = $1";
            connection.execute(update, params![TEXT first, BYTEA answer.as_bytes()])?;
            Ok(())
        })
    }

    fn forget_files(&self, until: i64) -> Result<(), LocalError> {
        self.0.read(|connection| {
            let delete = "DELETE FROM skillmirror.file_uploads WHERE ends_at <= $1";
            connection.execute(delete, params![INT8 until])?;
            Ok(())
        })
    }
}

fn usage(connection: &mut Connection, person: &Handle) -> Result<FileUploadUsage, StoreError> {
    let select = "SELECT coalesce(sum(size), 0)::bigint, count(*) FROM skillmirror.file_uploads
                  WHERE answer IS NULL AND person = $1";
    let row = connection.query_one(select, params![TEXT person.as_str()])?;
    Ok(FileUploadUsage { bytes: read_u64(&row, 0)?, files: read_u64(&row, 1)? })
}

/// Takes back what this transaction has removed: a refused upload changes nothing.
fn undo(connection: &mut Connection) -> Result<(), StoreError> {
    connection.batch_execute("ROLLBACK; BEGIN")
}

/// The announced files.
const WAITING: (&str, &str) = ("count(*)", "answer IS NULL");
/// The announced files, and the answers of publications.
const ALL: (&str, &str) = ("count(*)", "true");
/// The bytes that were sent.
const SENT: (&str, &str) = ("sum(size)::bigint", "content IS NOT NULL");

/// Removes uploads until there is room for `amount` more. After a refusal, some may be removed: see [`undo`].
fn make_room(
    connection: &mut Connection,
    (sum, counted): (&str, &str),
    person: &str,
    amount: u64,
    max: u64,
) -> Result<Result<(), UploadsFull>, StoreError> {
    loop {
        let select = format!(
            "SELECT person, {sum}, min(ends_at), (array_agg(ticket ORDER BY ends_at))[1]
             FROM skillmirror.file_uploads WHERE {counted} GROUP BY person"
        );
        let rows = connection.query(&select, params![])?;
        let all = rows.iter().map(|row| {
            let oldest = (read(row, 2)?, read(row, 3)?);
            Ok(PersonUploads { person: read(row, 0)?, amount: read_u64(row, 1)?, oldest })
        });
        let all: Vec<_> = all.collect::<Result<_, StoreError>>()?;
        match PersonUploads::room(&all, person, amount, max) {
            Ok(None) => return Ok(Ok(())),
            Err(full) => return Ok(Err(full)),
            Ok(Some(ticket)) => {
                let delete = "DELETE FROM skillmirror.file_uploads WHERE ticket = $1";
                connection.execute(delete, params![TEXT ticket])?;
            }
        }
    }
}

fn upload(row: &Row) -> Result<StoredFileUpload, StoreError> {
    let answer: Option<Vec<u8>> = read(row, 7)?;
    Ok(StoredFileUpload {
        ticket: read(row, 0)?,
        person: read(row, 1)?,
        path: read_utf8(row, 2)?,
        size: read_u64(row, 3)?,
        sha256: read(row, 4)?,
        ends_at: read(row, 5)?,
        has_content: read(row, 6)?,
        answer: answer.map(|_| read_utf8(row, 7)).transpose()?,
    })
}
