//! The file of logins: which token belongs to which registry.

use std::collections::BTreeMap;
use std::fs::{self, DirBuilder, File};
use std::io::{ErrorKind, Read, Write};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy, Xdg};
use serde::{Deserialize, Serialize};

use crate::{ClientError, RegistryAddress, Token};

/// The number of the file's form.
const VERSION: u64 = 1;

/// No file of logins is longer.
const LONGEST: u64 = 4 << 20;

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
    #[serde(serialize_with = "Token::keep")]
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
        let strategy = Xdg::new().map_err(|_| ClientError::Credentials {
            path: "credentials.json".into(),
            why: "there is no home folder to keep logins in: set HOME or XDG_CONFIG_HOME".to_owned(),
        })?;
        Self::load_from(&strategy.config_dir().join("skillmirror"))
    }

    /// The same from a folder.
    pub fn load_from(folder: &Path) -> Result<Self, ClientError> {
        let path = folder.join("credentials.json");
        let refused = |why: String| ClientError::Credentials { path: path.clone(), why };
        let file = match File::open(&path) {
            Ok(file) => file,
            Err(why) if why.kind() == ErrorKind::NotFound => {
                let content = Content { version: VERSION, default: None, logins: BTreeMap::new() };
                return Ok(Self { path, content });
            }
            Err(why) => return Err(refused(format!("the saved logins cannot be read: {why}"))),
        };
        let mode = file.metadata().map_err(|why| refused(why.to_string()))?.permissions().mode();
        if mode & 0o077 != 0 {
            return Err(refused(format!(
                "others can read the saved logins (mode {:03o}): run `chmod 600 {}`, and make new tokens if \
                 somebody may have read these",
                mode & 0o777,
                path.display()
            )));
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).map_err(|why| refused(why.to_string()))?;
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

    /// Writes the file: another one beside it that only its owner can read, which
    /// then takes its place.
    pub fn save(&self) -> Result<(), ClientError> {
        let written = || -> std::io::Result<()> {
            let folder = self.path.parent().unwrap_or(Path::new("."));
            if !folder.is_dir() {
                let above = folder.parent().unwrap_or(Path::new("."));
                fs::create_dir_all(above)?;
                DirBuilder::new().mode(0o700).create(folder)?;
            }
            // Made with mode 0600.
            let mut file = tempfile::NamedTempFile::new_in(folder)?;
            file.write_all(&serde_json::to_vec_pretty(&self.content)?)?;
            file.write_all(b"\n")?;
            file.as_file().sync_all()?;
            file.persist(&self.path)?;
            Ok(())
        };
        written().map_err(|why| ClientError::Credentials {
            path: self.path.clone(),
            why: format!("the login cannot be saved: {why}"),
        })
    }
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;
