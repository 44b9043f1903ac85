//! Files that wait for a publication.

use registry::local::{LocalError, NewUpload, PersonUploads, Room, Uploads};
use registry::names::{Digest, Handle};

use super::PostgresLocal;
use crate::connection::Connection;
use crate::error::StoreError;
use crate::params::{params, read, read_u64, to_sql};
use crate::schema::UPLOAD_LOCK;

impl Uploads for PostgresLocal {
    fn keep_upload(&self, upload: &NewUpload<'_>) -> Result<bool, LocalError> {
        let (person, sha256) = (upload.person.as_str(), upload.sha256.to_string());
        self.0.write(|connection| {
            // Two servers that add up at the same time would both find room for the last one.
            connection.query("SELECT pg_advisory_xact_lock($1)", params![INT8 UPLOAD_LOCK])?;
            remove(connection, person, &sha256)?;
            loop {
                let all = held(connection)?;
                match upload.room(&all) {
                    Room::Free => break,
                    Room::InsteadOf(PersonUploads { person, oldest, .. }) => {
                        remove(connection, person, oldest)?;
                    }
                    Room::Full => {
                        // Takes back what this transaction has removed.
                        connection.batch_execute("ROLLBACK; BEGIN")?;
                        return Ok(false);
                    }
                }
            }
            let insert = "INSERT INTO skillmirror.uploads(person, sha256, size, ends_at, content)
                          VALUES ($1, $2, $3, $4, $5)";
            let values = params![
                TEXT person, TEXT sha256, INT8 to_sql(upload.size()), INT8 upload.ends_at.as_unix(),
                BYTEA upload.content,
            ];
            connection.execute(insert, values)?;
            Ok(true)
        })
    }

    fn upload(&self, person: &Handle, sha256: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        let sha256 = sha256.to_string();
        self.0.read(|connection| {
            let select = "SELECT content FROM skillmirror.uploads WHERE person = $1 AND sha256 = $2";
            let found = connection.query_opt(select, params![TEXT person.as_str(), TEXT sha256])?;
            found.map(|row| read(&row, 0)).transpose()
        })
    }

    fn forget_uploads(&self, until: i64) -> Result<(), LocalError> {
        self.0.read(|connection| {
            connection.execute("DELETE FROM skillmirror.uploads WHERE ends_at <= $1", params![INT8 until])?;
            Ok(())
        })
    }
}

fn remove(connection: &mut Connection, person: &str, sha256: &str) -> Result<(), StoreError> {
    let delete = "DELETE FROM skillmirror.uploads WHERE person = $1 AND sha256 = $2";
    connection.execute(delete, params![TEXT person, TEXT sha256])?;
    Ok(())
}

fn held(connection: &mut Connection) -> Result<Vec<PersonUploads>, StoreError> {
    let select = "SELECT person, sum(size)::bigint, (array_agg(sha256 ORDER BY ends_at))[1]
                  FROM skillmirror.uploads GROUP BY person";
    let rows = connection.query(select, params![])?;
    let held = rows.iter().map(|row| {
        Ok(PersonUploads { person: read(row, 0)?, size: read_u64(row, 1)?, oldest: read(row, 2)? })
    });
    held.collect()
}
