//! Finds the registry of a site through `/.well-known/registry.json`.

use generator::address::Document;
use registry::api::public::Discovery;

use crate::http::JSON_LIMIT;
use crate::{ClientError, RegistryAddress, Source};

/// Finds the registry of a site. Its discovery document is read below the site's own path,
/// then at the root of its origin. Without one, the site itself is the registry.
pub fn discover(site: &RegistryAddress) -> Result<RegistryAddress, ClientError> {
    let mut page = None;
    for place in [Some(site.clone()), site.origin_root()].into_iter().flatten() {
        let source = Source::open(place);
        match source.bytes(&Document::Discovery, JSON_LIMIT, &mut |_, _| {})? {
            // Some hosts send a web page instead of a missing file.
            Some(raw) if raw.is_page() => page = page.or(Some(raw.from)),
            Some(raw) => {
                let Discovery { api_base, .. } = raw.parse(site)?;
                // If the site redirects, paths are relative to where it redirects to.
                let moved = raw.from.strip_suffix(&Document::Discovery.request()).map(str::parse);
                let found_at = moved.filter(|_| site.as_url().is_some()).transpose()?;
                return resolve_api_base(&api_base, &raw.from, found_at.as_ref().unwrap_or(source.address()));
            }
            None => {}
        }
    }
    match page {
        Some(url) => Err(ClientError::WebPage { url, registry: site.to_string() }),
        None => Ok(site.clone()),
    }
}

/// The registry that `apiBase` names: an address, or a path. A path that begins with the path of
/// `found_at` counts from the root of its origin. Any other is relative to `found_at`.
fn resolve_api_base(
    api_base: &str,
    document: &str,
    found_at: &RegistryAddress,
) -> Result<RegistryAddress, ClientError> {
    let refused = |why: &str| {
        let shown: String = api_base.chars().take(200).collect();
        ClientError::Unsupported(format!(
            "{document} says that the API is at `{}`, {why}. Name the registry with --registry, and tell the \
             operator of the site",
            shown.escape_debug()
        ))
    };
    if api_base.starts_with('/') {
        let is_unsafe = api_base.contains(['?', '#', '\\', '%']) || api_base.contains("//");
        if is_unsafe || api_base.split('/').any(|part| part == "." || part == "..") {
            return Err(refused("which is not a plain path"));
        }
        let own = found_at.as_url().map(|url| url.path().trim_end_matches('/')).unwrap_or_default();
        let below = api_base.strip_prefix(own).filter(|below| below.starts_with('/'));
        return found_at
            .with_path(below.unwrap_or(api_base))
            .map_err(|_| refused("which is not a plain path"));
    }
    let named: RegistryAddress =
        api_base.parse().map_err(|_| refused("which is neither a path nor an address"))?;
    match (found_at.as_url(), named.as_url()) {
        (Some(_), None) => Err(refused("which is a folder on this machine")),
        (Some(from), Some(to)) if from.scheme() == "https" && to.scheme() == "http" => {
            Err(refused("which is not encrypted"))
        }
        _ => Ok(named),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn resolved(api_base: &str, found_at: &str) -> Result<String, String> {
        let found = resolve_api_base(api_base, "https://x.example/doc", &found_at.parse().unwrap());
        found.map(|registry| registry.to_string()).map_err(|why| why.to_string())
    }

    #[test]
    fn api_base_is_a_path_of_the_site_or_an_address() {
        for (api_base, found_at, expected) in [
            ("/api/v1", "https://a.example", "https://a.example"),
            ("/api/v1", "https://a.example/sub/dir", "https://a.example/sub/dir"),
            ("/skills/api/v1/", "https://a.example", "https://a.example/skills"),
            ("/skills", "https://a.example", "https://a.example/skills"),
            ("/sub/dir/api/v1", "https://a.example/sub/dir", "https://a.example/sub/dir"),
            ("/sub/director/api/v1", "https://a.example/sub/dir", "https://a.example/sub/dir/sub/director"),
            ("/api/v1", "file:///srv/public", "file:///srv/public"),
            ("https://b.example/api/v1", "https://a.example", "https://b.example"),
            ("http://b.example:81/x/api/v1", "http://a.example", "http://b.example:81/x"),
            ("https://b.example/api/v1", "file:///srv/public", "https://b.example"),
        ] {
            assert_eq!(resolved(api_base, found_at).unwrap(), expected, "{api_base} at {found_at}");
        }
    }

    #[test]
    fn invalid_api_base_is_refused() {
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
            let why = resolved(api_base, "https://a.example").unwrap_err();
            assert!(why.contains("--registry") && !why.contains('\u{1b}'), "{why}");
        }
    }
}
