//! Parses registry addresses, as people write them.

use std::str::FromStr;

use percent_encoding::percent_decode_str;
use url::Url;

use super::{Location, RegistryAddress};
use crate::{ClientError, platform};

/// The path of the API below the base URL.
const API: &str = "/api/v1";

impl FromStr for RegistryAddress {
    type Err = ClientError;

    fn from_str(text: &str) -> Result<Self, ClientError> {
        let refused = |why: &str| ClientError::Address { text: without_secrets(text), why: why.to_owned() };
        // The URL standard silently changes these, so the result would differ from the text.
        if text.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\') {
            return Err(refused("it contains white space or `\\`"));
        }
        if text.contains(['?', '#']) {
            return Err(refused("it contains a query (`?`) or a fragment (`#`)"));
        }
        let (scheme, rest) = text.split_once("://").ok_or_else(|| refused("it has no scheme"))?;
        match scheme.to_ascii_lowercase().as_str() {
            "http" | "https" => host(text).map_err(refused),
            "file" => folder(rest).map_err(refused),
            _ => Err(refused("its scheme is not http, https or file")),
        }
    }
}

fn host(text: &str) -> Result<RegistryAddress, &'static str> {
    let mut url = Url::parse(text).map_err(|_| "it is not a URL")?;
    // The URL standard ignores the third slash of `https:///name`.
    let after = text.split_once("://").map_or("", |(_, after)| after);
    // Only an `@` in the authority separates a user name. One in the path is allowed.
    let authority = after.split('/').next().unwrap_or_default();
    if !url.username().is_empty() || url.password().is_some() || authority.contains('@') {
        return Err("it contains a user name or password (log in instead)");
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
        return Err("its path contains two slashes in a row");
    }
    url.set_path(if path.is_empty() { "/" } else { &path });
    Ok(RegistryAddress(Location::Host(url)))
}

fn folder(rest: &str) -> Result<RegistryAddress, &'static str> {
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    if !path.starts_with('/') {
        return Err("file:// needs an absolute path, which starts with a third slash");
    }
    let decoded: Vec<u8> = percent_decode_str(path).collect();
    if decoded.contains(&0) {
        return Err("its path contains a NUL");
    }
    let path = without_dots(&decoded);
    let mut path = path.as_slice();
    while let Some(base) = path.strip_suffix(API.as_bytes()) {
        path = base;
    }
    let path = if path.is_empty() { b"/" } else { path };
    platform::path_of_url(path).map(|path| RegistryAddress(Location::Folder(path)))
}

/// Resolves `.` and `..`, as the URL standard does, and removes empty parts. So one folder has one address, which
/// saved logins and trusted keys belong to.
fn without_dots(path: &[u8]) -> Vec<u8> {
    let mut parts: Vec<&[u8]> = Vec::new();
    for part in path.split(|byte| *byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.iter().flat_map(|part| [b"/", *part].concat()).collect()
}

/// An address for messages: shortened, and without any password.
pub(crate) fn without_secrets(text: &str) -> String {
    let (scheme, rest) = text.split_once("://").map_or(("", text), |(scheme, rest)| (scheme, rest));
    let mark = if scheme.is_empty() { "" } else { "://" };
    let shown = match rest.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}{mark}…@{host}"),
        None => text.to_owned(),
    };
    shown.chars().take(200).collect::<String>().escape_debug().to_string()
}
