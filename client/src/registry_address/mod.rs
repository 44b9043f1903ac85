//! The address of a registry: a server, a static host, or a folder.

mod loopback;
mod parse;

use std::fmt;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use percent_encoding::{AsciiSet, CONTROLS, percent_encode};
use url::Url;

use crate::ClientError;
pub(crate) use loopback::is_loopback;

/// Where a registry is. Its text is the base URL without a slash at its end and
/// without `/api/v1`: `https://skills.example.org`, or `file:///srv/skills`. Two
/// that are equal are the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryAddress(Location);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Location {
    /// `http` or `https`, without credentials, query and fragment; the path has
    /// no slash at its end, but for that of an origin.
    Host(Url),
    /// An absolute path.
    Folder(PathBuf),
}

/// What a path in a URL cannot have as it is (WHATWG URL, "path percent-encode set"), and
/// `%`, so that each path has one text.
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

impl RegistryAddress {
    /// The address of a host, where it is one.
    pub fn as_url(&self) -> Option<&Url> {
        match &self.0 {
            Location::Host(url) => Some(url),
            Location::Folder(_) => None,
        }
    }

    /// The folder, where it is one.
    pub fn as_folder(&self) -> Option<&Path> {
        match &self.0 {
            Location::Host(_) => None,
            Location::Folder(folder) => Some(folder),
        }
    }

    /// Whether what is sent there can be read on the way: `http` to another machine.
    pub fn is_readable_on_the_way(&self) -> bool {
        self.as_url().is_some_and(|url| url.scheme() == "http" && !is_loopback(url))
    }

    /// Whether both are of one origin: the same scheme, host and port. A folder has none.
    pub fn has_origin_of(&self, other: &Self) -> bool {
        let origins = (self.as_url().map(Url::origin), other.as_url().map(Url::origin));
        matches!(origins, (Some(own), Some(other)) if own == other)
    }

    /// The address of something below the base of a host: `path` begins with a
    /// slash and may have a query. None for a folder.
    pub(crate) fn below(&self, path: &str) -> Option<Url> {
        self.as_url().and_then(|url| Url::parse(&format!("{}{path}", base(url))).ok())
    }

    /// The root of its origin, where that is another place.
    pub(crate) fn origin_root(&self) -> Option<Self> {
        let url = self.as_url().filter(|url| url.path() != "/")?;
        let mut root = url.clone();
        root.set_path("/");
        Some(Self(Location::Host(root)))
    }

    /// That of the folder or host with this path behind, which begins with a slash
    /// and has no dots.
    pub(crate) fn with_path(&self, path: &str) -> Result<Self, ClientError> {
        format!("{self}{path}").parse()
    }
}

/// A URL without the slash at its end.
fn base(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

impl fmt::Display for RegistryAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Location::Host(url) => f.write_str(base(url)),
            Location::Folder(folder) => {
                write!(f, "file://{}", percent_encode(folder.as_os_str().as_bytes(), ENCODED))
            }
        }
    }
}

#[cfg(test)]
mod tests;
