//! Registry addresses: of a server, a static host or a folder.

mod loopback;
mod parse;

use std::fmt;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use url::Url;

use crate::{ClientError, platform};
pub(crate) use loopback::is_loopback;
pub(crate) use parse::without_secrets;

/// The address of a registry. Its text is the base URL without a trailing slash and without
/// `/api/v1`: `https://skills.example.org` or `file:///srv/skills`. Two spellings of one
/// address compare equal. Parsed with `FromStr`, in `parse.rs`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryAddress(Location);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Location {
    /// An `http` or `https` URL without credentials, query and fragment. Its path ends in a
    /// slash only if it is `/`.
    Host(Url),
    /// An absolute path.
    Folder(PathBuf),
}

/// The characters that are percent-encoded in a path: the "path percent-encode set" of WHATWG
/// URL, and `%`, so that each path has one text.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'}');

/// The folder must be absolute.
impl From<PathBuf> for RegistryAddress {
    fn from(folder: PathBuf) -> Self {
        Self(Location::Folder(folder))
    }
}

impl RegistryAddress {
    /// The URL, if the registry is on a host.
    pub fn as_url(&self) -> Option<&Url> {
        match &self.0 {
            Location::Host(url) => Some(url),
            Location::Folder(_) => None,
        }
    }

    /// The folder, if the registry is in one.
    pub fn as_folder(&self) -> Option<&Path> {
        match &self.0 {
            Location::Host(_) => None,
            Location::Folder(folder) => Some(folder),
        }
    }

    /// Whether others can read what is sent there: with `http` to another machine.
    pub fn is_unencrypted(&self) -> bool {
        self.as_url().is_some_and(|url| url.scheme() == "http" && !is_loopback(url))
    }

    /// Whether both have the same scheme, host and port. False for folders.
    pub fn has_same_origin(&self, other: &Self) -> bool {
        let origins = (self.as_url().map(Url::origin), other.as_url().map(Url::origin));
        matches!(origins, (Some(own), Some(other)) if own == other)
    }

    /// The URL of `path` below the base URL. The path starts with a slash and may have a query.
    /// None for a folder, or if the URL does not parse.
    pub fn url_of(&self, path: &str) -> Option<Url> {
        self.as_url().and_then(|url| Url::parse(&format!("{}{path}", base(url))).ok())
    }

    /// The root of the origin. None for a folder, or if this is already the root.
    pub(crate) fn origin_root(&self) -> Option<Self> {
        let url = self.as_url().filter(|url| url.path() != "/")?;
        let mut root = url.clone();
        root.set_path("/");
        Some(Self(Location::Host(root)))
    }

    /// This address with a path added. The path starts with a slash and has no dot segments.
    pub(crate) fn with_path(&self, path: &str) -> Result<Self, ClientError> {
        format!("{self}{path}").parse()
    }
}

/// A URL without a trailing slash.
fn base(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

impl fmt::Display for RegistryAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Location::Host(url) => f.write_str(base(url)),
            Location::Folder(folder) => {
                write!(f, "file://{}", percent_encode(&platform::url_path(folder), ENCODED))
            }
        }
    }
}

#[cfg(test)]
mod tests;
