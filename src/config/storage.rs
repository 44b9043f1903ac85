//! The section `storage`.

use std::fmt;
use std::path::PathBuf;

use postgres_store::Address;
use serde::{Deserialize, Deserializer};

/// Where rows and local data are.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StorageSection {
    /// The database. None: the data folder.
    pub journal: Option<JournalSetting>,
    /// The file with the password of the database.
    pub password_file: Option<PathBuf>,
}

impl StorageSection {
    /// The names of its settings.
    pub const SETTINGS: &[&str] = &["journal", "password_file"];

    /// Refuses an invalid address, without repeating it.
    pub fn check(&self) -> Result<(), String> {
        match &self.journal {
            Some(JournalSetting(Err(why))) => Err(format!("storage.journal: {why}")),
            _ => Ok(()),
        }
    }

    /// The address of the database with its password, if rows are in one.
    ///
    /// Errors: the address is invalid, or the file cannot be read. The text has no password.
    pub fn address(&self) -> Result<Option<Address>, String> {
        let Some(JournalSetting(address)) = &self.journal else { return Ok(None) };
        let address = address.clone().map_err(|why| format!("storage.journal: {why}"))?;
        self.with_password(address).map(Some)
    }

    /// Adds the password of the file to an address, if there is a file.
    ///
    /// Errors: the file cannot be read.
    pub fn with_password(&self, address: Address) -> Result<Address, String> {
        let Some(path) = &self.password_file else { return Ok(address) };
        let text = std::fs::read_to_string(path)
            .map_err(|why| format!("storage.password_file: cannot read {}: {why}", path.display()))?;
        Ok(address.with_password(text.trim_end_matches(['\r', '\n'])))
    }
}

/// The address of a database. An invalid one is refused later: the parser of the file would show the
/// line, and with it the password.
#[derive(Clone)]
pub struct JournalSetting(Result<Address, String>);

impl<'de> Deserialize<'de> for JournalSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        Ok(Self(text.parse().map_err(|why: postgres_store::AddressError| why.to_string())))
    }
}

impl fmt::Debug for JournalSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
