//! The section `storage`.

use std::convert::Infallible;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Deserializer};

use super::path::path;
use super::unusable_path::unreadable;
use crate::engines::{Address, TargetUrl};

/// Where rows and local data are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StorageSection {
    /// The database of the rows. None: the data folder.
    pub journal: Option<DatabaseSetting>,
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

    /// Refuses an invalid address, without repeating it, and packages in the bucket that the tree is written to as
    /// `target`: the tree is public, and its writer deletes objects.
    pub fn check(&self, target: Option<&TargetUrl>) -> Result<(), String> {
        self.journal
            .as_ref()
            .map_or(Ok(()), DatabaseSetting::check)
            .map_err(|why| format!("storage.journal: {why}"))?;
        if let (Some(packages), Some(target)) = (&self.packages, target)
            && overlap(packages, target)
        {
            return Err(format!(
                "storage.packages: {packages} and mirror.target ({target}) overlap: give each a prefix of its own"
            ));
        }
        Ok(())
    }

    /// Whether rows and local data are in a database.
    pub fn has_database(&self) -> bool {
        self.journal.is_some()
    }

    /// The database with its password. None if the rows are in the data folder.
    ///
    /// Errors: the address is invalid, or the file cannot be read. The text has no password.
    pub fn database(&self) -> Result<Option<Address>, String> {
        let Some(DatabaseSetting(address)) = &self.journal else { return Ok(None) };
        let address = address.clone().map_err(|why| format!("storage.journal: {why}"))?;
        self.with_password(address).map(Some)
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

/// The address of a database. An invalid one is refused later: the parser of the file would show the line, and with
/// it the password.
#[derive(Clone)]
pub struct DatabaseSetting(Result<Address, String>);

impl DatabaseSetting {
    /// Refuses an invalid address, without repeating it.
    pub fn check(&self) -> Result<(), String> {
        self.0.as_ref().map(drop).map_err(Clone::clone)
    }
}

impl FromStr for DatabaseSetting {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.parse::<Address>().map_err(|why| why.to_string())))
    }
}

impl<'de> Deserialize<'de> for DatabaseSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let Ok(setting) = String::deserialize(from)?.parse();
        Ok(setting)
    }
}

impl fmt::Debug for DatabaseSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
