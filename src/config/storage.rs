//! The section `storage`.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Deserializer};

use super::path::path;
use crate::access::unreadable;
use crate::engines::{Address, TargetUrl};

/// Where rows and local data are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StorageSection {
    /// The database or the bucket of the rows. None: the data folder.
    pub journal: Option<JournalSetting>,
    /// The file with the password of the database.
    #[serde(deserialize_with = "path")]
    pub password_file: Option<PathBuf>,
    /// The bucket of the packages. None: the data folder.
    pub packages: Option<TargetUrl>,
    /// The address of the store's API. None: that of the cloud.
    pub endpoint: Option<String>,
    /// The region of the bucket. None: that of the environment.
    pub region: Option<String>,
}

impl StorageSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["journal", "password_file", "packages", "endpoint", "region"];

    /// Refuses an invalid address, without repeating it, and a bucket that the tree is written to as
    /// `target`: what follows the tree deletes all other objects, and the tree is public.
    pub fn check(&self, target: Option<&TargetUrl>) -> Result<(), String> {
        let journal = match &self.journal {
            Some(JournalSetting(Err(why))) => return Err(format!("storage.journal: {why}")),
            Some(JournalSetting(Ok(JournalPlace::Bucket(url)))) => Some(url),
            _ => None,
        };
        if let (Some(journal), None) = (journal, &self.packages) {
            return Err(format!(
                "storage.packages: the journal is in {journal}, so the packages have to be in a bucket, too: name one \
                 with another prefix"
            ));
        }
        let places = [
            ("storage.journal", journal),
            ("storage.packages", self.packages.as_ref()),
            ("mirror.target", target),
        ];
        for (index, (name, place)) in places.iter().enumerate() {
            for (other_name, other) in &places[index + 1..] {
                if let (Some(place), Some(other)) = (place, other)
                    && overlap(place, other)
                {
                    return Err(format!(
                        "{name}: {place} and {other_name} ({other}) overlap: give each a prefix of its own"
                    ));
                }
            }
        }
        Ok(())
    }

    /// Whether several servers on several machines can use the journal.
    pub fn is_shared(&self) -> bool {
        self.journal.is_some()
    }

    /// Where the rows are: a database has its password.
    ///
    /// Errors: the address is invalid, or the file cannot be read. The text has no password.
    pub fn journal_place(&self) -> Result<JournalPlace, String> {
        let Some(JournalSetting(place)) = &self.journal else { return Ok(JournalPlace::Folder) };
        match place.clone().map_err(|why| format!("storage.journal: {why}"))? {
            JournalPlace::Database(address) => self.with_password(address).map(JournalPlace::Database),
            place => Ok(place),
        }
    }

    /// Whether the local data are in the same database as the rows.
    pub fn has_database(&self) -> bool {
        matches!(&self.journal, Some(JournalSetting(Ok(JournalPlace::Database(_)))))
    }

    /// Adds the password of the file to an address, if there is a file.
    ///
    /// Errors: the file cannot be read.
    pub fn with_password(&self, address: Address) -> Result<Address, String> {
        let Some(path) = &self.password_file else { return Ok(address) };
        let text = std::fs::read_to_string(path).map_err(|why| {
            unreadable(path, &why, "the setting `storage.password_file` names another file")
        })?;
        Ok(address.with_password(text.trim_end_matches(['\r', '\n'])))
    }
}

/// Whether one address contains the other.
fn overlap(a: &TargetUrl, b: &TargetUrl) -> bool {
    let folder = |url: &TargetUrl| format!("{url}/");
    let (a, b) = (folder(a), folder(b));
    a.starts_with(&b) || b.starts_with(&a)
}

/// Where the rows of a registry are.
#[derive(Debug, Clone)]
pub enum JournalPlace {
    /// In the data folder.
    Folder,
    /// In a database, together with the local data.
    Database(Address),
    /// In a bucket. The local data are in the data folder.
    Bucket(TargetUrl),
}

/// The address of a database or of a bucket. An invalid one is refused later: the parser of the file would
/// show the line, and with it the password.
#[derive(Clone)]
pub struct JournalSetting(Result<JournalPlace, String>);

impl<'de> Deserialize<'de> for JournalSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Ok(Self(if TargetUrl::is_one(&text) {
            text.parse().map(JournalPlace::Bucket)
        } else {
            let address = text.parse::<Address>().map_err(|why| why.to_string());
            address.map(JournalPlace::Database)
        }))
    }
}

impl fmt::Debug for JournalSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
