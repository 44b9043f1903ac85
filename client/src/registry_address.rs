//! The address of a registry: a server, a static host, or a folder.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, percent_encode};
use url::Url;

use crate::ClientError;
use crate::loopback::is_loopback;

/// Where a registry is. Its text is the base URL without a slash at its end and
/// without `/api/v1`: `https://skills.example.org`, or `file:///srv/skills`. Two
/// that are equal are the same place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryAddress(Place);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// `http` or `https`, without credentials, query and fragment; the path has
    /// no slash at its end, but for that of an origin.
    Host(Url),
    /// An absolute path.
    Folder(PathBuf),
}

/// What the API has behind the registry's base.
const API: &str = "/api/v1";

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
            Place::Host(url) => Some(url),
            Place::Folder(_) => None,
        }
    }

    /// The folder, where it is one.
    pub fn as_folder(&self) -> Option<&Path> {
        match &self.0 {
            Place::Host(_) => None,
            Place::Folder(folder) => Some(folder),
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
        Some(Self(Place::Host(root)))
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

impl FromStr for RegistryAddress {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let refused = |why: &str| ClientError::Address { text: without_secrets(text), why: why.to_owned() };
        // The URL standard repairs these silently; then it would be another text than was written.
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(refused("it has white space or `\\` in it"));
        }
        if text.contains(['?', '#']) {
            return Err(refused("it has a `?` or `#` in it, and what follows is not part of an address"));
        }
        let (scheme, rest) =
            text.split_once("://").ok_or_else(|| refused("it does not say how it is reached"))?;
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => host(text).map_err(refused),
            "file" => folder(rest).map_err(refused),
            _ => Err(refused("it is neither http, https nor file")),
        }
    }
}

fn host(text: &str) -> Result<RegistryAddress, &'static str> {
    let mut url = Url::parse(text).map_err(|_| "it cannot be read as one")?;
    // The standard reads `https:///name` as if the third slash were none.
    let after = text.split_once("://").map_or("", |(_, after)| after);
    // An `@` in the path is that of a namespace, or of whatever a host likes.
    let authority = after.split('/').next().unwrap_or_default();
    if !url.username().is_empty() || url.password().is_some() || authority.contains('@') {
        return Err("it has a name or password in it: log in instead");
    }
    if url.host_str().is_none_or(str::is_empty) || after.starts_with('/') {
        return Err("it has no host");
    }
    let mut path = url.path().trim_end_matches('/');
    while let Some(base) = path.strip_suffix(API) {
        path = base.trim_end_matches('/');
    }
    let path = path.to_owned();
    if path.contains("//") {
        return Err("there are two slashes in a row in its path");
    }
    url.set_path(if path.is_empty() { "/" } else { &path });
    Ok(RegistryAddress(Place::Host(url)))
}

fn folder(rest: &str) -> Result<RegistryAddress, &'static str> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return Err("after file:// comes an absolute path, which begins with a third slash");
    }
    let decoded: Vec<u8> = percent_decode_str(path).collect();
    if decoded.contains(&0) {
        return Err("there is a NUL in its path");
    }
    let mut path = without_slashes(&decoded);
    while let Some(base) = path.strip_suffix(API.as_bytes()) {
        path = without_slashes(base);
    }
    let path = if path.is_empty() { b"/" } else { path };
    Ok(RegistryAddress(Place::Folder(OsString::from_vec(path.to_vec()).into())))
}

/// A path without slashes at its end.
fn without_slashes(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
    path.get(..end).unwrap_or_default()
}

/// What a message shows of an address: nothing of a password, and no endless text.
fn without_secrets(text: &str) -> String {
    let shown = match (text.split_once("://"), text.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://…@{host}"),
        _ => text.to_owned(),
    };
    shown.chars().take(200).collect::<String>().escape_debug().to_string()
}

impl fmt::Display for RegistryAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Place::Host(url) => f.write_str(base(url)),
            Place::Folder(folder) => {
                write!(f, "file://{}", percent_encode(folder.as_os_str().as_bytes(), ENCODED))
            }
        }
    }
}

#[cfg(test)]
#[path = "registry_address_tests.rs"]
mod tests;
