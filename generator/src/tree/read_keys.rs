//! The read keys of a closed registry: a record for each, in `<output>.state/read-keys`. Hosts of files look there,
//! so a key is valid from the moment at which its record exists, and until it is removed.

use std::fs;
use std::io;
use std::path::PathBuf;

use registry::names::Digest;
use registry::read_key::{ReadKey, ReadKeyId};
use registry::time::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Tree, entries, is_missing};

/// The record of a read key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadKeyRecord {
    /// The id, which is the name of the file.
    pub id: ReadKeyId,
    /// The name that the operator gave it.
    pub name: String,
    /// When it was made.
    pub created_at: Timestamp,
    /// The time from which it is not valid.
    pub expires_at: Timestamp,
    /// The sha256 of its text.
    pub sha256: Digest,
}

impl ReadKeyRecord {
    /// The record of a new key.
    pub fn new(key: &ReadKey, name: String) -> Self {
        let (id, expires_at, sha256) = (key.id().clone(), key.ends(), key.sha256());
        Self { id, name, created_at: Timestamp::now(), expires_at, sha256 }
    }

    /// Whether this is the record of a key that has not ended.
    pub fn admits(&self, key: &ReadKey, now: Timestamp) -> bool {
        self.sha256 == key.sha256() && now < key.ends()
    }
}

impl Tree {
    /// The folder of the records, which hosts look into.
    pub fn read_key_folder(&self) -> PathBuf {
        self.state().join("read-keys")
    }

    /// Reads the record of a key. `None` if the key has no record, or if the record cannot be parsed.
    pub fn read_key(&self, id: &ReadKeyId) -> io::Result<Option<ReadKeyRecord>> {
        match fs::read(self.read_key_file(id)) {
            Ok(bytes) => Ok(serde_json::from_slice(&bytes).ok()),
            Err(why) if is_missing(&why) => Ok(None),
            Err(why) => Err(why),
        }
    }

    /// All records, oldest first.
    pub fn read_keys(&self) -> io::Result<Vec<ReadKeyRecord>> {
        let mut records = Vec::new();
        for entry in entries(&self.read_key_folder())? {
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.strip_suffix(".json")?.parse().ok());
            if let Some(id) = id {
                records.extend(self.read_key(&id)?);
            }
        }
        records.sort_by(|a, b| (a.created_at, &a.id).cmp(&(b.created_at, &b.id)));
        Ok(records)
    }

    /// Makes a key valid.
    pub fn add_read_key(&self, record: &ReadKeyRecord) -> io::Result<()> {
        let file = self.read_key_file(&record.id);
        fs::create_dir_all(self.read_key_folder())?;
        // Hosts must not see half of it.
        let unfinished = file.with_extension("new");
        fs::write(&unfinished, crate::json::json(record))?;
        fs::rename(unfinished, file)
    }

    /// Makes a key invalid. Returns whether it was valid.
    pub fn revoke_read_key(&self, id: &ReadKeyId) -> io::Result<bool> {
        match fs::remove_file(self.read_key_file(id)) {
            Ok(()) => Ok(true),
            Err(why) if is_missing(&why) => Ok(false),
            Err(why) => Err(why),
        }
    }

    fn read_key_file(&self, id: &ReadKeyId) -> PathBuf {
        self.read_key_folder().join(format!("{id}.json"))
    }
}
