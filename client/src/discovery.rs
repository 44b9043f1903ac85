//! From a site to its registry: `/.well-known/registry.json`.

use generator::address::Document;
use serde::Deserialize;

use crate::http::{Http, JSON_LIMIT};
use crate::read::{Read, json};
use crate::{ClientError, RegistryAddress, folder};

/// The document: other fields are not looked at.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Discovery {
    api_base: String,
}

/// The registry of a site: what its discovery document leads to, looked for under the
/// site's own path and then at the root of its origin; where there is none, the
/// site itself.
pub fn discover(http: &Http, site: &RegistryAddress) -> Result<RegistryAddress, ClientError> {
    let mut page = None;
    for place in [Some(site.clone()), site.origin_root()].into_iter().flatten() {
        match read(http, &place)? {
            // Some hosts have a web page for whatever they do not have.
            Some((read, _)) if read.is_page() => page = page.or(Some(read.from)),
            Some((read, found_at)) => {
                let document: Discovery = json(&read.bytes, &read.from, read.content_type.as_deref(), site)?;
                return registry(&document.api_base, &read.from, &found_at);
            }
            None => {}
        }
    }
    match page {
        Some(url) => Err(ClientError::WebPage { url, registry: site.to_string() }),
        None => Ok(site.clone()),
    }
}

/// The document at one place, and what its paths are relative to: a site that moved
/// says so by a redirect.
fn read(http: &Http, place: &RegistryAddress) -> Result<Option<(Read, RegistryAddress)>, ClientError> {
    let Some(file) = Document::Discovery.file() else { return Ok(None) };
    if let Some(root) = place.as_folder() {
        let read = folder::read(root, &file, JSON_LIMIT, &mut |_, _| {})?;
        return Ok(read.map(|read| (read, place.clone())));
    }
    let path = format!("/{file}");
    let Some(url) = place.below(&path) else { return Ok(None) };
    let answer = http.get(&url, None, JSON_LIMIT, &mut |_, _| {})?;
    let Some(answer) = answer.found_publicly()? else { return Ok(None) };
    let moved = answer.url.as_str().strip_suffix(&path).map(str::parse::<RegistryAddress>);
    let found_at = moved.transpose()?.unwrap_or_else(|| place.clone());
    Ok(Some((answer.into(), found_at)))
}

/// The registry that an `apiBase` names: a path behind the place of the document,
/// or an address.
fn registry(
    api_base: &str,
    document: &str,
    found_at: &RegistryAddress,
) -> Result<RegistryAddress, ClientError> {
    let refused = |why: &str| {
        let shown: String = api_base.chars().take(200).collect();
        ClientError::Unsupported(format!(
            "{document} says that the API is at `{}`, {why}: name the registry with --registry, and tell those \
             who run the site",
            shown.escape_debug()
        ))
    };
    if api_base.starts_with('/') {
        let is_odd = api_base.contains(['?', '#', '\\', '%']) || api_base.contains("//");
        if is_odd || api_base.split('/').any(|part| part == "." || part == "..") {
            return Err(refused("which is no plain path"));
        }
        return found_at.with_path(api_base).map_err(|_| refused("which is no plain path"));
    }
    let named: RegistryAddress =
        api_base.parse().map_err(|_| refused("which is neither a path nor an address"))?;
    match (found_at.as_url(), named.as_url()) {
        (Some(_), None) => Err(refused("which is a folder of this machine")),
        (Some(from), Some(to)) if from.scheme() == "https" && to.scheme() == "http" => {
            Err(refused("which anybody on the way can read and change"))
        }
        _ => Ok(named),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn leads(api_base: &str, found_at: &str) -> Result<String, String> {
        let found = registry(api_base, "https://x.example/doc", &found_at.parse().unwrap());
        found.map(|registry| registry.to_string()).map_err(|why| why.to_string())
    }

    #[test]
    fn paths_are_behind_the_document_and_addresses_are_themselves() {
        for (api_base, found_at, expected) in [
            ("/api/v1", "https://a.example", "https://a.example"),
            ("/api/v1", "https://a.example/sub/dir", "https://a.example/sub/dir"),
            ("/skills/api/v1/", "https://a.example", "https://a.example/skills"),
            ("/skills", "https://a.example", "https://a.example/skills"),
            ("/api/v1", "file:///srv/public", "file:///srv/public"),
            ("https://b.example/api/v1", "https://a.example", "https://b.example"),
            ("http://b.example:81/x/api/v1", "http://a.example", "http://b.example:81/x"),
            ("https://b.example/api/v1", "file:///srv/public", "https://b.example"),
        ] {
            assert_eq!(leads(api_base, found_at).unwrap(), expected, "{api_base} at {found_at}");
        }
    }

    #[test]
    fn junk_leads_nowhere() {
        for api_base in [
            "",
            "api/v1",
            "//b.example/api/v1",
            "/../api/v1",
            "/a/./b",
            "/a?b",
            "/a%2f",
            "/a\\b",
            "/a b",
            "file:///etc",
            "javascript:alert(1)",
            "http://b.example/api/v1",
            "https://u:p@b.example",
            "ftp://b.example",
            "/a\u{1b}[2J",
        ] {
            let why = leads(api_base, "https://a.example").unwrap_err();
            assert!(why.contains("--registry") && !why.contains('\u{1b}'), "{why}");
        }
    }
}
