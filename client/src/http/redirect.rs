//! Decides whether a redirect is followed.

use ureq::http::Method;
use url::Url;

use crate::ClientError;

/// The most redirects in a row that are followed.
pub const MAX_REDIRECTS: usize = 5;

/// Whether the status is that of a redirect with a `Location`.
pub fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Checks a redirect, and returns its target. Only a `GET` may go to another origin: other methods send
/// a package or a change. The error names the target.
pub fn follow(from: &Url, status: u16, location: &str, method: &Method) -> Result<Url, ClientError> {
    let refused = |why: &str, to: &dyn std::fmt::Display| {
        Err(ClientError::Redirect(format!("{from} redirects to {to}, {why}")))
    };
    let mut to = match from.join(location) {
        Ok(to) if matches!(to.scheme(), "http" | "https") => to,
        Ok(to) => return refused("which is not an HTTP address", &without_credentials(&to)),
        Err(_) => {
            let shown: String = location.chars().take(200).collect();
            return refused("which is not an HTTP address", &shown.escape_debug());
        }
    };
    to.set_fragment(None);
    if from.scheme() == "https" && to.scheme() == "http" {
        return refused("which is not encrypted: it is not followed", &to);
    }
    if !to.username().is_empty() || to.password().is_some() {
        return refused("which contains a user name: it is not followed", &without_credentials(&to));
    }
    if method != Method::GET && from.origin() != to.origin() {
        let base = to.origin().ascii_serialization();
        let why = format!(
            "but packages and changes are sent only to the given registry: if {base} is the registry, name it with --registry \
             and log in there"
        );
        return refused(&why, &to);
    }
    // The other statuses ask to repeat the request without its body (RFC 9110, section 15.4).
    if method != Method::GET && !matches!(status, 307 | 308) {
        let why = format!(
            "with status {status}, which does not allow sending it again: name that address with --registry"
        );
        return refused(&why, &to);
    }
    Ok(to)
}

fn without_credentials(url: &Url) -> Url {
    let mut url = url.clone();
    // These cannot fail for a URL with a host.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn follow_307(from: &str, location: &str, method: &Method) -> Result<String, String> {
        let to = follow(&from.parse().unwrap(), 307, location, method);
        to.map(String::from).map_err(|why| why.to_string())
    }

    #[test]
    fn location_is_relative_to_the_redirecting_address() {
        let from = "http://a.example:81/x/y";
        for (location, to) in [
            ("z", "http://a.example:81/x/z"),
            ("/z#f", "http://a.example:81/z"),
            ("http://a.example/", "http://a.example/"),
            ("https://a.example:81/", "https://a.example:81/"),
            ("//b.example/z", "http://b.example/z"),
        ] {
            assert_eq!(follow_307(from, location, &Method::GET).unwrap(), to, "{location}");
        }
        follow_307(from, "http://a.example:81.b.example/", &Method::GET).unwrap_err();
    }

    #[test]
    fn unsafe_redirect_is_refused() {
        for location in [
            "http://a.example/",
            "file:///etc/passwd",
            "ftp://a.example",
            "ftp://u:secret@a.example/",
            "http://",
            "https://u:secret@a.example/",
        ] {
            let why = follow_307("https://a.example/", location, &Method::GET).unwrap_err();
            assert!(why.starts_with("https://a.example/ redirects to ") && !why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn package_is_not_redirected_to_another_origin() {
        let from = "https://a.example/api/v1/publish";
        follow_307(from, "/sub/api/v1/publish", &Method::POST).unwrap();
        for to in ["https://b.example/", "https://a.example:81/", "https://a.example.b.example/"] {
            let why = follow_307(from, to, &Method::POST).unwrap_err();
            assert!(why.contains(to) && why.contains("--registry"), "{why}");
        }
        let seen = follow(&from.parse().unwrap(), 302, "/other", &Method::POST).unwrap_err().to_string();
        assert!(seen.contains("/other") && seen.contains("302"), "{seen}");
    }
}
