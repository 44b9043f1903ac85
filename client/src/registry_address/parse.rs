//! An address from the text that a person wrote.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use super::{Location, RegistryAddress};
use crate::ClientError;

/// What the API has behind the registry's base.
const API: &str = "/api/v1";

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
    Ok(RegistryAddress(Location::Host(url)))
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
    Ok(RegistryAddress(Location::Folder(OsString::from_vec(path.to_vec()).into())))
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
