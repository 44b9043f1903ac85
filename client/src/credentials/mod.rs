//! The file of logins: which token belongs to which registry.

mod file;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::{ClientError, RegistryAddress, Token};

/// The number of the file's form.
const VERSION: u64 = 1;

/// The logins of whoever runs this, in
/// `$XDG_CONFIG_HOME/skillmirror/credentials.json` (`~/.config/…` where the variable
/// is not set), which only they can read.
#[derive(Debug)]
pub struct Credentials {
    path: PathBuf,
    content: Content,
}

/// A login at one registry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Login {
    /// The token.
    #[serde(serialize_with = "Token::serialize_secret")]
    pub token: Token,
    /// Whose it is.
    pub handle: String,
    /// The address under which people see the registry, where that is another one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Content {
    version: u64,
    /// The registry that is asked when nothing says which.
    default: Option<String>,
    logins: BTreeMap<String, Login>,
}

impl Credentials {
    /// Reads the file of whoever runs this; no file is no logins. A file that others
    /// can read is refused.
    pub fn load() -> Result<Self, ClientError> {
        Self::load_from(&file::folder()?)
    }

    /// The same from a folder.
    pub fn load_from(folder: &Path) -> Result<Self, ClientError> {
        let path = folder.join("credentials.json");
        let refused = |why: String| ClientError::Credentials { path: path.clone(), why };
        let Some(text) = file::read(&path).map_err(refused)? else {
            let content = Content { version: VERSION, default: None, logins: BTreeMap::new() };
            return Ok(Self { path, content });
        };
        let content: Content = serde_json::from_str(&text).map_err(|why| {
            // What serde says of a text may quote it: only the place is told.
            let (line, column) = (why.line(), why.column());
            refused(format!(
                "it is no file of logins (line {line}, column {column}): remove it, and log in again"
            ))
        })?;
        if content.version != VERSION {
            return Err(refused(format!(
                "its form has the number {}, and this program knows only {VERSION}: use a newer one",
                content.version
            )));
        }
        Ok(Self { path, content })
    }

    /// Changes the logins of whoever runs this: they are read, changed and written while nobody
    /// else does. An error of `change` leaves them as they are.
    pub fn change<T>(change: impl FnOnce(&mut Self) -> Result<T, ClientError>) -> Result<T, ClientError> {
        Self::change_in(&file::folder()?, change)
    }

    /// The same in a folder.
    pub fn change_in<T>(
        folder: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, ClientError>,
    ) -> Result<T, ClientError> {
        let path = folder.join("credentials.json");
        let unsaved = |why: std::io::Error| ClientError::Credentials {
            path: path.clone(),
            why: format!("the logins cannot be saved: {why}"),
        };
        let _held = file::lock(&path).map_err(unsaved)?;
        let mut logins = Self::load_from(folder)?;
        let changed = change(&mut logins)?;
        let text =
            serde_json::to_vec_pretty(&logins.content).map_err(std::io::Error::from).map_err(unsaved)?;
        file::write(&path, &text).map_err(unsaved)?;
        Ok(changed)
    }

    /// The login at exactly this registry.
    pub fn login(&self, registry: &RegistryAddress) -> Option<&Login> {
        self.content.logins.get(&registry.to_string())
    }

    /// The default registry, with its login.
    pub fn default_login(&self) -> Option<(&str, &Login)> {
        let registry = self.content.default.as_deref()?;
        Some((registry, self.content.logins.get(registry)?))
    }

    /// Whether that registry is the default.
    pub fn is_default(&self, registry: &RegistryAddress) -> bool {
        self.default_login().is_some_and(|(default, _)| default == registry.to_string())
    }

    /// Keeps a login, in the place of one at the same registry. The first becomes the
    /// default.
    pub fn insert(&mut self, registry: &RegistryAddress, login: Login) {
        self.content.logins.insert(registry.to_string(), login);
        if self.default_login().is_none() {
            self.make_default(registry);
        }
    }

    /// Makes a registry the default.
    pub fn make_default(&mut self, registry: &RegistryAddress) {
        self.content.default = Some(registry.to_string());
    }

    /// Forgets a login. None where there was none.
    pub fn remove(&mut self, registry: &RegistryAddress) -> Option<Login> {
        let removed = self.content.logins.remove(&registry.to_string())?;
        if self.default_login().is_none() {
            self.content.default = None;
        }
        Some(removed)
    }

    /// Where the logins are kept.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(test)]
mod tests;
