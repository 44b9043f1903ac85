//! Whether a redirect is followed.

use url::Url;

use crate::ClientError;

/// How many redirects in a row are followed.
pub(super) const MOST: usize = 5;

/// What a redirect asks for.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Where to go.
    pub to: Url,
    /// Whether that is the origin that was asked, so that a token may go along.
    pub stays: bool,
}

/// Whether the status is a redirect that names another address.
pub(super) fn is_redirect(status: u16) -> bool {
    matches!(status, 301 | 302 | 303 | 307 | 308)
}

/// Where a redirect leads. `sends` is whether something was sent, which goes to
/// nobody but whom it was meant for. The error says where it wanted to go.
pub(super) fn follow(from: &Url, status: u16, location: &str, sends: Sends) -> Result<Step, ClientError> {
    let refused = |why: &str, to: &dyn std::fmt::Display| {
        Err(ClientError::Redirect(format!("{from} redirects to {to}, {why}")))
    };
    let mut to = match from.join(location) {
        Ok(to) if matches!(to.scheme(), "http" | "https") => to,
        _ => {
            let shown: String = location.chars().take(200).collect();
            return refused("which is no address that can be followed", &shown.escape_debug());
        }
    };
    to.set_fragment(None);
    if from.scheme() == "https" && to.scheme() == "http" {
        return refused("which anybody on the way can read and change: it is not followed", &to);
    }
    if !to.username().is_empty() || to.password().is_some() {
        return refused("which has a name in it: it is not followed", &without_name(&to));
    }
    let stays = from.origin() == to.origin();
    match sends {
        Sends::Nothing => {}
        Sends::Package if !stays => {
            let base = to.origin().ascii_serialization();
            let why = format!(
                "and what is published is sent to no other place than the one named: if {base} is the registry, \
                 name it with --registry and log in there"
            );
            return refused(&why, &to);
        }
        // The others say to ask again without what was sent (RFC 9110, section 15.4).
        Sends::Package if !matches!(status, 307 | 308) => {
            let why = format!(
                "with status {status}, after which nothing is sent again: name the address it leads to"
            );
            return refused(&why, &to);
        }
        Sends::Package => {}
    }
    Ok(Step { to, stays })
}

/// What goes with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sends {
    /// It only asks.
    Nothing,
    /// A package.
    Package,
}

fn without_name(url: &Url) -> Url {
    let mut url = url.clone();
    // Neither fails for a URL with a host, and if so the text is only longer.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn step(from: &str, location: &str, sends: Sends) -> Result<(String, bool), String> {
        let step = follow(&from.parse().unwrap(), 307, location, sends);
        step.map(|step| (step.to.to_string(), step.stays)).map_err(|why| why.to_string())
    }

    #[test]
    fn the_token_stays_with_its_origin() {
        let from = "http://a.example:81/x/y";
        for (location, to, stays) in [
            ("z", "http://a.example:81/x/z", true),
            ("/z#f", "http://a.example:81/z", true),
            ("http://a.example:81/", "http://a.example:81/", true),
            ("http://a.example/", "http://a.example/", false),
            ("https://a.example:81/", "https://a.example:81/", false),
            ("//b.example/z", "http://b.example/z", false),
            ("http://a.example:81.b.example/", "", false),
        ] {
            let step = step(from, location, Sends::Nothing);
            if to.is_empty() {
                step.unwrap_err();
            } else {
                assert_eq!(step.unwrap(), (to.to_owned(), stays), "{location}");
            }
        }
    }

    #[test]
    fn some_are_not_followed() {
        for location in [
            "http://a.example/",
            "file:///etc/passwd",
            "ftp://a.example",
            "http://",
            "https://u:secret@a.example/",
        ] {
            let why = step("https://a.example/", location, Sends::Nothing).unwrap_err();
            assert!(why.starts_with("https://a.example/ redirects to ") && !why.contains("secret"), "{why}");
        }
    }

    #[test]
    fn a_package_goes_to_no_other_origin() {
        let from = "https://a.example/api/v1/publish";
        assert!(step(from, "/sub/api/v1/publish", Sends::Package).unwrap().1);
        let why = step(from, "https://b.example/api/v1/publish", Sends::Package).unwrap_err();
        assert!(why.contains("https://b.example/api/v1/publish") && why.contains("--registry"), "{why}");
        let seen = follow(&from.parse().unwrap(), 302, "/other", Sends::Package).unwrap_err().to_string();
        assert!(seen.contains("/other") && seen.contains("302"), "{seen}");
    }
}
