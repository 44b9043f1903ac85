//! The table of files that wait for a publication.
//!
//! It is written on a connection of its own: sessions and passwords are read while megabytes are written,
//! and a power loss may take the latest uploads with it, so no commit waits for the disk.

use rusqlite::{OptionalExtension, Transaction, params};

use super::{SqliteLocal, write_to};
use crate::journal::database::{read_u64, to_sql};
use crate::local::{LocalError, NewUpload, PersonUploads, Room, Uploads};
use crate::names::{Digest, Handle};

pub(super) const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS uploads(
        person TEXT NOT NULL, sha256 TEXT NOT NULL, size INTEGER NOT NULL, ends_at INTEGER NOT NULL,
        content BLOB NOT NULL, PRIMARY KEY (person, sha256)
    ) STRICT;
    CREATE INDEX IF NOT EXISTS uploads_held ON uploads(person, size, ends_at, sha256);
    CREATE INDEX IF NOT EXISTS uploads_ends ON uploads(ends_at);
";

impl Uploads for SqliteLocal {
    fn keep_upload(&self, upload: &NewUpload<'_>) -> Result<bool, LocalError> {
        write_to(&self.unsynced, |transaction| {
            remove(transaction, upload.person.as_str(), &upload.sha256.to_string())?;
            loop {
                let all = held(transaction)?;
                match upload.room(&all) {
                    Room::Free => break,
                    Room::InsteadOf(PersonUploads { person, oldest, .. }) => {
                        remove(transaction, person, oldest)?;
                    }
                    Room::Full => {
                        // Takes back what this transaction has removed.
                        transaction.execute_batch("ROLLBACK; BEGIN")?;
                        return Ok(false);
                    }
                }
            }
            let insert =
                "INSERT INTO uploads(person, sha256, size, ends_at, content) VALUES (?1, ?2, ?3, ?4, ?5)";
            let (person, sha256) = (upload.person.as_str(), upload.sha256.to_string());
            let values =
                params![person, sha256, to_sql(upload.size()), upload.ends_at.as_unix(), upload.content];
            transaction.prepare_cached(insert)?.execute(values)?;
            Ok(true)
        })
    }

    fn upload(&self, person: &Handle, sha256: &Digest) -> Result<Option<Vec<u8>>, LocalError> {
        let select = "SELECT content FROM uploads WHERE person = ?1 AND sha256 = ?2";
        let connection = self.unsynced.lock();
        let mut statement = connection.prepare_cached(select)?;
        Ok(statement.query_row([person.as_str(), &sha256.to_string()], |row| row.get(0)).optional()?)
    }

    fn forget_uploads(&self, until: i64) -> Result<(), LocalError> {
        let delete = "DELETE FROM uploads WHERE ends_at <= ?1";
        self.unsynced.lock().prepare_cached(delete)?.execute([until])?;
        Ok(())
    }
}

fn remove(transaction: &Transaction<'_>, person: &str, sha256: &str) -> Result<(), LocalError> {
    let delete = "DELETE FROM uploads WHERE person = ?1 AND sha256 = ?2";
    transaction.prepare_cached(delete)?.execute([person, sha256])?;
    Ok(())
}

fn held(transaction: &Transaction<'_>) -> Result<Vec<PersonUploads>, LocalError> {
    // SQLite takes the bare column from the row with the minimum.
    let select = "SELECT person, sum(size), min(ends_at), sha256 FROM uploads GROUP BY person";
    let mut statement = transaction.prepare_cached(select)?;
    let all = statement.query_map([], |row| {
        Ok(PersonUploads { person: row.get(0)?, size: read_u64(row, 1)?, oldest: row.get(3)? })
    });
    Ok(all?.collect::<Result<_, _>>()?)
}
