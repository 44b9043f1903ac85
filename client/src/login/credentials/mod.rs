//! The saved logins: a token for each registry.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::read_credential::ReadCredential;
use crate::{ClientError, RegistryAddress, Token, private_file as file};

/// The format version of the credentials file.
const VERSION: u64 = 1;

/// The logins of the current user, in `$XDG_CONFIG_HOME/skillmirror/credentials.json` (by
/// default `~/.config/…`). Only that user can read the file.
#[derive(Debug, Serialize, Deserialize)]
pub struct Credentials {
    version: u64,
    /// The default registry.
    default: Option<String>,
    logins: BTreeMap<String, Login>,
    /// The registries that do not answer everybody.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    reads: BTreeMap<String, Reads>,
}

/// How a registry is read.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Reads {
    /// Whether each read is sent with the credential: the registry has asked for it.
    #[serde(default)]
    pub always: bool,
    /// The credential, if it is not the token of the login.
    #[serde(flatten)]
    pub credential: Option<ReadCredential>,
}

/// A login at one registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The secret token.
    #[serde(serialize_with = "Token::serialize_secret")]
    pub token: Token,
    /// The handle of the user.
    pub handle: String,
    /// The address for browsers, if it differs from that of the registry.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

/// The address of the main registry of a private namespace.
fn main_registry(address: &str) -> Option<&str> {
    let (main, namespace) = address.rsplit_once("/-/")?;
    (!namespace.contains('/')).then_some(main)
}

impl Credentials {
    /// Reads the logins of the current user. Without a file, there are none. A file that others
    /// can read is refused.
    pub fn load() -> Result<Self, ClientError> {
        Self::load_from(&file::folder()?)
    }

    /// Makes the folder of the logins, for this user alone. Call it before somebody types a token.
    ///
    /// Errors: the folder cannot be made, or others can write to it.
    pub fn prepare() -> Result<(), ClientError> {
        let path = file::folder()?.join("credentials.json");
        match file::lock(&path) {
            Ok(_held) => Ok(()),
            Err(why) => Err(ClientError::Credentials { path, why: format!("cannot save the logins: {why}") }),
        }
    }

    /// Reads the logins from a folder.
    pub fn load_from(folder: &Path) -> Result<Self, ClientError> {
        let path = folder.join("credentials.json");
        let refused = |why: String| ClientError::Credentials { path: path.clone(), why };
        let Some(text) = file::read(&path, "the saved logins").map_err(refused)? else {
            return Ok(Self {
                version: VERSION,
                default: None,
                logins: BTreeMap::new(),
                reads: BTreeMap::new(),
            });
        };
        let credentials: Self = serde_json::from_str(&text).map_err(|why| {
            // The message of serde could quote a token, so only the position is shown.
            let (line, column) = (why.line(), why.column());
            refused(format!(
                "invalid credentials file (line {line}, column {column}): remove it and log in again"
            ))
        })?;
        if credentials.version != VERSION {
            return Err(refused(format!(
                "the credentials file has format version {}, but this program supports only {VERSION}: upgrade skillmirror",
                credentials.version
            )));
        }
        Ok(credentials)
    }

    /// Reads, changes and writes the logins of the current user under a lock. Nothing is written
    /// if `change` fails.
    pub fn change<T>(change: impl FnOnce(&mut Self) -> Result<T, ClientError>) -> Result<T, ClientError> {
        Self::change_in(&file::folder()?, change)
    }

    /// Changes the logins in a folder.
    pub fn change_in<T>(
        folder: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        let path = folder.join("credentials.json");
        let unsaved = |why: std::io::Error| ClientError::Credentials {
            path: path.clone(),
            why: format!("cannot save the logins: {why}"),
        };
        let _held = file::lock(&path).map_err(unsaved)?;
        let mut logins = Self::load_from(folder)?;
        let changed = change(&mut logins)?;
        let text = serde_json::to_vec_pretty(&logins).map_err(std::io::Error::from).map_err(unsaved)?;
        file::write(&path, &text).map_err(unsaved)?;
        Ok(changed)
    }

    /// The login for a registry. One for a main registry counts for its private namespaces, which have its accounts.
    pub fn login(&self, registry: &RegistryAddress) -> Option<&Login> {
        let address = registry.to_string();
        self.logins.get(&address).or_else(|| self.logins.get(main_registry(&address)?))
    }

    /// The login for exactly this registry, which logging out removes.
    pub fn own_login(&self, registry: &RegistryAddress) -> Option<&Login> {
        self.logins.get(&registry.to_string())
    }

    /// How this registry is read: with its own credential, or else the token of its login.
    pub fn reads(&self, registry: &RegistryAddress) -> Reads {
        let saved = self.reads.get(&registry.to_string()).cloned().unwrap_or_default();
        let of_login = || Some(ReadCredential::Token(self.login(registry)?.token.clone()));
        Reads { credential: saved.credential.or_else(of_login), ..saved }
    }

    /// The default registry, with its login if it has one.
    pub fn default_registry(&self) -> Option<(&str, Option<&Login>)> {
        let registry = self.default.as_deref()?;
        let login = self.logins.get(registry);
        (login.is_some() || self.reads.contains_key(registry)).then_some((registry, login))
    }

    /// Whether this registry is the default.
    pub fn is_default(&self, registry: &RegistryAddress) -> bool {
        self.default_registry().is_some_and(|(default, _)| default == registry.to_string())
    }

    /// Adds or replaces the login for a registry. The first registry becomes the default.
    pub fn insert(&mut self, registry: &RegistryAddress, login: Login) {
        self.logins.insert(registry.to_string(), login);
        self.make_first_default(registry);
    }

    /// Adds or replaces the credential that a registry is read with. The first registry becomes the default.
    pub fn insert_reads(&mut self, registry: &RegistryAddress, reads: Reads) {
        self.reads.insert(registry.to_string(), reads);
        self.make_first_default(registry);
    }

    /// Notes that a registry has asked for its credential.
    pub(crate) fn always_authorize_reads(&mut self, registry: &RegistryAddress) {
        self.reads.entry(registry.to_string()).or_default().always = true;
    }

    fn make_first_default(&mut self, registry: &RegistryAddress) {
        if self.default_registry().is_none() {
            self.make_default(registry);
        }
    }

    /// Makes a registry the default.
    pub fn make_default(&mut self, registry: &RegistryAddress) {
        self.default = Some(registry.to_string());
    }

    /// Removes the login and the credential of a registry. Returns whether something was saved.
    pub fn remove(&mut self, registry: &RegistryAddress) -> bool {
        let registry = registry.to_string();
        let removed = [self.logins.remove(&registry).is_some(), self.reads.remove(&registry).is_some()];
        if self.default_registry().is_none() {
            self.default = None;
        }
        removed.contains(&true)
    }
}

#[cfg(test)]
mod tests;
