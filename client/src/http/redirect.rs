//! Decides whether a redirect is followed.

use url::Url;

use crate::ClientError;

/// The most redirects in a row that are followed.
pub(super) const MAX_REDIRECTS: usize = 5;

/// A redirect to follow.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Redirect {
    /// The new address.
    pub to: Url,
    /// Whether the origin stays the same, so that the token may be sent.
    pub same_origin: bool,
}

/// Whether the status is that of a redirect with a `Location`.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Checks a redirect. A package is never sent to another origin. The error names the target.
pub(super) fn follow(
    from: &Url,
    status: u16,
    location: &str,
    payload: Payload,
) -> Result<Redirect, ClientError> {
    let refused = |why: &str, to: &dyn std::fmt::Display| {
        Err(ClientError::Redirect(format!("{from} redirects to {to}, {why}")))
    };
    let mut to = match from.join(location) {
        Ok(to) if matches!(to.scheme(), "http" | "https") => to,
        _ => {
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
    let same_origin = from.origin() == to.origin();
    match payload {
        Payload::None => {}
        Payload::Package if !same_origin => {
            let base = to.origin().ascii_serialization();
            let why = format!(
                "but packages are sent only to the given registry: if {base} is the registry, name it with --registry \
                 and log in there"
            );
            return refused(&why, &to);
        }
        // The other statuses ask to repeat the request without its body (RFC 9110, section 15.4).
        Payload::Package if !matches!(status, 307 | 308) => {
            let why = format!(
                "with status {status}, which does not allow sending the package again: name that address with --registry"
            );
            return refused(&why, &to);
        }
        Payload::Package => {}
    }
    Ok(Redirect { to, same_origin })
}

/// The body of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Payload {
    /// No body.
    None,
    /// A package to publish.
    Package,
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

    fn follow_307(from: &str, location: &str, payload: Payload) -> Result<(String, bool), String> {
        let redirect = follow(&from.parse().unwrap(), 307, location, payload);
        redirect
            .map(|redirect| (redirect.to.to_string(), redirect.same_origin))
            .map_err(|why| why.to_string())
    }

    #[test]
    fn redirect_to_another_origin_is_not_same_origin() {
        let from = "http://a.example:81/x/y";
        for (location, to, same_origin) in [
            ("z", "http://a.example:81/x/z", true),
            ("/z#f", "http://a.example:81/z", true),
            ("http://a.example:81/", "http://a.example:81/", true),
            ("http://a.example/", "http://a.example/", false),
            ("https://a.example:81/", "https://a.example:81/", false),
            ("//b.example/z", "http://b.example/z", false),
            ("http://a.example:81.b.example/", "", false),
        ] {
            let redirect = follow_307(from, location, Payload::None);
            if to.is_empty() {
                redirect.unwrap_err();
            } else {
                assert_eq!(redirect.unwrap(), (to.to_owned(), same_origin), "{location}");
            }
        }
    }

    #[test]
    fn unsafe_redirect_is_refused() {
        for location in [
            "http://a.example/",
            "file:///etc/passwd",
            "ftp://a.example",
            "http://",
            "https://u:secret@a.example/",
        ] {
            let why = follow_307("https://a.example/", location, Payload::None).unwrap_err();
            assert!(why.starts_with("https://a.example/ redirects to ") && !why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn package_is_not_redirected_to_another_origin() {
        let from = "https://a.example/api/v1/publish";
        assert!(follow_307(from, "/sub/api/v1/publish", Payload::Package).unwrap().1);
        let why = follow_307(from, "https://b.example/api/v1/publish", Payload::Package).unwrap_err();
        assert!(why.contains("https://b.example/api/v1/publish") && why.contains("--registry"), "{why}");
        let seen = follow(&from.parse().unwrap(), 302, "/other", Payload::Package).unwrap_err().to_string();
        assert!(seen.contains("/other") && seen.contains("302"), "{seen}");
    }
}
