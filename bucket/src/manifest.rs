//! The record of what is in the bucket, in a SQLite file beside the tree.
//!
//! It only saves work: an object without a row is written again. It is compared with a listing of the
//! bucket at each start, so it may be older than the bucket, or be lost.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use data_encoding::HEXLOWER;
use md5::{Digest as _, Md5};
use registry::names::Digest;
use rusqlite::{Connection, OptionalExtension, params};

/// The name of the file in the state folder of the tree.
const FILE: &str = "bucket.sqlite";

/// The layout of the tables. Another one is replaced by an empty manifest.
const LAYOUT: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS objects (
        key TEXT PRIMARY KEY,
        size INTEGER NOT NULL,
        modified INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        etag TEXT NOT NULL,
        seen INTEGER NOT NULL
    ) WITHOUT ROWID;
";

/// An object that was put, and the file that it was made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// The size in bytes.
    pub size: u64,
    /// The modification time of the file, which names a state.
    pub modified: SystemTime,
    /// The digest of the bytes. None if they are not known: another process may have put them.
    pub sha256: Option<Digest>,
    /// The entity tag that the store gave. Empty if it gives none, or if nothing follows from it.
    pub etag: String,
}

impl Object {
    /// Whether it has these bytes, of which `sha256` is the digest.
    ///
    /// Another server of the registry has put an object without a digest. S3 and Google Cloud Storage use the
    /// MD5 of an object as its entity tag unless it is encrypted with a key of the customer. With other tags the
    /// object is only put again. MD5 is enough, because only the registry writes its bucket.
    pub fn holds(&self, bytes: &[u8], sha256: Digest) -> bool {
        match self.sha256 {
            Some(known) => known == sha256,
            None => {
                self.size == bytes.len() as u64 && self.etag == HEXLOWER.encode(Md5::digest(bytes).as_slice())
            }
        }
    }

    /// Forgets what the object has.
    pub fn forget_bytes(self) -> Self {
        Self { sha256: None, etag: String::new(), ..self }
    }
}

/// The manifest of a tree's bucket.
#[derive(Debug)]
pub struct Manifest {
    db: Connection,
}

impl Manifest {
    /// Opens the manifest in the state folder of a tree. That of another `target` is emptied, and one
    /// that cannot be read is replaced.
    pub fn open(state: &Path, target: &str) -> rusqlite::Result<Self> {
        std::fs::create_dir_all(state)
            .map_err(|why| rusqlite::Error::ToSqlConversionFailure(Box::new(why)))?;
        let file = state.join(FILE);
        let manifest = Self::of_file(&file).or_else(|_| {
            // It costs a full upload, but no object.
            let _ = std::fs::remove_file(&file);
            Self::of_file(&file)
        })?;
        if manifest.fact("target")?.as_deref() != Some(target) {
            manifest.db.execute_batch("DELETE FROM objects; DELETE FROM facts;")?;
            manifest.set_fact("target", target)?;
        }
        Ok(manifest)
    }

    fn of_file(file: &Path) -> rusqlite::Result<Self> {
        let db = Connection::open(file)?;
        db.busy_timeout(std::time::Duration::from_secs(30))?;
        // A row that a power loss takes costs one put.
        db.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")?;
        let layout: i64 = db.query_row("PRAGMA user_version", [], |row| row.get(0))?;
        if layout != LAYOUT {
            db.execute_batch("DROP TABLE IF EXISTS objects; DROP TABLE IF EXISTS facts;")?;
        }
        db.execute_batch(SCHEMA)?;
        db.pragma_update(None, "user_version", LAYOUT)?;
        Ok(Self { db })
    }

    /// A fact about the bucket.
    pub fn fact(&self, name: &str) -> rusqlite::Result<Option<String>> {
        let mut asked = self.db.prepare_cached("SELECT value FROM facts WHERE name = ?1")?;
        asked.query_row([name], |row| row.get(0)).optional()
    }

    /// Sets a fact about the bucket.
    pub fn set_fact(&self, name: &str, value: &str) -> rusqlite::Result<()> {
        self.db.execute("INSERT OR REPLACE INTO facts VALUES (?1, ?2)", [name, value]).map(drop)
    }

    /// The object under a key, as far as known.
    pub fn object(&self, key: &str) -> rusqlite::Result<Option<Object>> {
        let mut asked =
            self.db.prepare_cached("SELECT size, modified, sha256, etag FROM objects WHERE key = ?1")?;
        asked
            .query_row([key], |row| {
                let sha256: String = row.get(2)?;
                Ok(Object {
                    size: row.get::<_, i64>(0)?.cast_unsigned(),
                    modified: UNIX_EPOCH
                        + std::time::Duration::from_nanos(row.get::<_, i64>(1)?.cast_unsigned()),
                    sha256: sha256.parse().ok(),
                    etag: row.get(3)?,
                })
            })
            .optional()
    }

    /// Records an object that was put.
    pub fn set(&self, key: &str, object: &Object) -> rusqlite::Result<()> {
        self.set_seen(key, object, 0)
    }

    fn set_seen(&self, key: &str, object: &Object, seen: i64) -> rusqlite::Result<()> {
        let sha256 = object.sha256.map(|digest| digest.to_string()).unwrap_or_default();
        let (size, time) = (object.size.cast_signed(), nanos(object.modified));
        let mut put =
            self.db.prepare_cached("INSERT OR REPLACE INTO objects VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
        put.execute(params![key, size, time, sha256, object.etag, seen]).map(drop)
    }

    /// Records that an object was removed.
    pub fn remove(&self, key: &str) -> rusqlite::Result<()> {
        self.db.prepare_cached("DELETE FROM objects WHERE key = ?1")?.execute([key]).map(drop)
    }

    /// Makes several changes at once, which is faster.
    pub fn together<T, E: From<rusqlite::Error>>(
        &self,
        change: impl FnOnce(&Self) -> Result<T, E>,
    ) -> Result<T, E> {
        let transaction = self.db.unchecked_transaction()?;
        let done = change(self)?;
        transaction.commit()?;
        Ok(done)
    }

    /// Begins a comparison: no key is listed or expected yet.
    pub fn begin_comparison(&self) -> rusqlite::Result<()> {
        self.db.execute("UPDATE objects SET seen = 0 WHERE seen != 0", []).map(drop)
    }

    /// Compares a listed object with its row. The bytes of one that differs are not known; `is_of_owner` says
    /// whether another server of the registry may have put it.
    pub fn list(&self, key: &str, size: u64, etag: &str, is_of_owner: bool) -> rusqlite::Result<()> {
        let mut known = self
            .db
            .prepare_cached("UPDATE objects SET seen = 1 WHERE key = ?1 AND size = ?2 AND etag = ?3")?;
        if known.execute(params![key, size.cast_signed(), etag])? == 0 {
            let etag = if is_of_owner { etag.to_owned() } else { String::new() };
            let object = Object { size, modified: UNIX_EPOCH, sha256: None, etag };
            self.set_seen(key, &object, 1)?;
        }
        Ok(())
    }

    /// Forgets all objects.
    pub fn forget_objects(&self) -> rusqlite::Result<()> {
        self.db.execute("DELETE FROM objects", []).map(drop)
    }

    /// Forgets all objects that were not listed.
    pub fn forget_unlisted(&self) -> rusqlite::Result<usize> {
        self.db.execute("DELETE FROM objects WHERE seen = 0", [])
    }

    /// Notes that a file of the tree has this key.
    pub fn mark_expected(&self, key: &str) -> rusqlite::Result<()> {
        self.db.prepare_cached("UPDATE objects SET seen = 2 WHERE key = ?1")?.execute([key]).map(drop)
    }

    /// The listed keys that no file of the tree has.
    pub fn unexpected(&self) -> rusqlite::Result<Vec<String>> {
        let mut asked = self.db.prepare_cached("SELECT key FROM objects WHERE seen = 1")?;
        let keys = asked.query_map([], |row| row.get(0))?;
        keys.collect()
    }
}

/// Nanoseconds since 1970. Times of files fit.
fn nanos(time: SystemTime) -> i64 {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn object(text: &str, seconds: u64) -> Object {
        Object {
            size: text.len() as u64,
            modified: UNIX_EPOCH + Duration::from_secs(seconds),
            sha256: Some(Digest::of(text.as_bytes())),
            etag: format!("tag of {text}"),
        }
    }

    #[test]
    fn comparison_finds_lost_changed_and_unknown_objects() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::open(folder.path(), "s3://a/b").unwrap();
        for (key, text) in [("same", "one"), ("lost", "two"), ("changed", "three"), ("old", "four")] {
            manifest.set(key, &object(text, 5)).unwrap();
        }
        manifest.begin_comparison().unwrap();
        for (key, text) in [("same", "one"), ("changed", "thr33"), ("old", "four"), ("other", "x")] {
            manifest.list(key, text.len() as u64, &format!("tag of {text}"), false).unwrap();
        }
        assert_eq!(manifest.forget_unlisted().unwrap(), 1);
        for key in ["same", "lost", "changed"] {
            manifest.mark_expected(key).unwrap();
        }
        assert_eq!(manifest.unexpected().unwrap(), ["old", "other"]);
        assert_eq!(manifest.object("same").unwrap(), Some(object("one", 5)));
        assert_eq!(manifest.object("lost").unwrap(), None);
        assert_eq!(manifest.object("changed").unwrap().unwrap().sha256, None);
    }

    #[test]
    fn object_of_another_server_is_known_by_its_tag() {
        let folder = tempfile::tempdir().unwrap();
        let manifest = Manifest::open(folder.path(), "s3://a/b").unwrap();
        // `printf hello | md5sum`
        for (key, tag, is_of_owner) in [
            ("same", "5d41402abc4b2a76b9719d911017c592", true),
            ("other", "7d793037a0760186574b0282f2f435e7", true),
            ("untagged", "", true),
            ("older", "5d41402abc4b2a76b9719d911017c592", false),
        ] {
            manifest.list(key, 5, tag, is_of_owner).unwrap();
        }
        let holds = |key| {
            let object = manifest.object(key).unwrap().unwrap();
            assert!(!object.clone().forget_bytes().holds(b"hello", Digest::of(b"hello")));
            object.holds(b"hello", Digest::of(b"hello"))
        };
        assert_eq!(["same", "other", "untagged", "older"].map(holds), [true, false, false, false]);
    }

    #[test]
    fn manifest_of_another_target_or_damaged_one_is_empty() {
        let folder = tempfile::tempdir().unwrap();
        let open = |target: &str| Manifest::open(folder.path(), target).unwrap();
        open("s3://a/b").set("key", &object("one", 5)).unwrap();
        assert!(open("s3://a/b").object("key").unwrap().is_some());
        assert!(open("s3://a/c").object("key").unwrap().is_none());
        open("s3://a/c").set("key", &object("one", 5)).unwrap();
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.path().join(format!("{FILE}{end}")));
        }
        std::fs::write(folder.path().join(FILE), "this is no database, but a text of some length").unwrap();
        assert!(open("s3://a/c").object("key").unwrap().is_none());
    }
}
