//! Logging in a client: in a browser of the same machine (`/cli/auth`), or with a code in any browser
//! (`/cli/device`, RFC 8628). Both are at the root of the origin, where third-party clients look.
//!
//! Both pages ask for the password, also in a browser with a session: the token lives longer than
//! that session, so a stolen session must not suffice.

mod browser;
mod device;
mod device_page;
mod grant;
mod page;

use registry::ops::tokens;
use registry::private::{Scope, Scopes};

use super::prelude::*;

#[rustfmt::skip]
pub(super) fn routes() -> Vec<Route> {
    vec![
        post("/api/cli/device/code", Access::Anyone, device::begin)
            .describe("beginDeviceLogin", "Begins the login of a client with a code (RFC 8628). Unknown fields are ignored.")
            .optional_body_or_form::<device::NewLogin>().replies::<device::Codes>(200).replies::<device::OauthError>(400)
            .counted_by_client(),
        post("/api/cli/device/token", Access::Anyone, device::poll)
            .describe("pollDeviceLogin", "Asks for the token of a login with a code (RFC 8628). Unknown fields are ignored.")
            .body_or_form::<device::TokenRequest>().replies::<device::Token>(200).replies::<device::OauthError>(400)
            .counted_by_client(),
        get("/cli/auth", Access::Anyone, browser::show).undescribed(),
        post("/cli/auth", Access::Anyone, browser::submit).undescribed().counted_by_client(),
        get("/cli/device", Access::Anyone, device_page::show).undescribed(),
        post("/cli/device", Access::Anyone, device_page::submit).undescribed().counted_by_client(),
    ]
}

/// The scopes that a client can get, and what a person understands by them. Not `tokens`: a client
/// makes no credentials.
const OFFERED: [(Scope, &str); 4] = [
    (Scope::Read, "see your skills, tags, members and reviews"),
    (Scope::Publish, "publish skills"),
    (Scope::Social, "star and rate skills"),
    (Scope::Manage, "change, move and remove your skills, and manage namespaces, members and reviews"),
];

/// The scopes that a client asks for: names of scopes, or `write` for everything but reading. All
/// of them if it names none. The error is an unknown name.
fn scopes(asked: Option<&str>) -> Result<Scopes, String> {
    let mut scopes = Vec::new();
    for name in asked.unwrap_or("read write").split_ascii_whitespace() {
        match name {
            "write" => scopes.extend([Scope::Publish, Scope::Social, Scope::Manage]),
            name => {
                let offered = OFFERED.iter().find(|(scope, _)| scope.as_str() == name);
                scopes.push(offered.ok_or_else(|| name.to_owned())?.0);
            }
        }
    }
    Ok(if scopes.is_empty() { OFFERED.map(|(scope, _)| scope).to_vec().into() } else { scopes.into() })
}

/// The names of scopes, as OAuth writes them.
fn scope_names(scopes: &Scopes) -> String {
    let names: Vec<_> =
        OFFERED.iter().filter(|(scope, _)| scopes.has(*scope)).map(|(s, _)| s.as_str()).collect();
    names.join(" ")
}

/// The name of a client, which becomes that of its token.
fn label(asked: Option<String>, default: &str) -> Result<String, Problem> {
    let label = asked.map(|label| label.trim().to_owned()).filter(|label| !label.is_empty());
    let label = label.unwrap_or_else(|| default.to_owned());
    tokens::check_name(&label).map_err(|_| {
        Problem::invalid_field("label", "it must be one line of at most 64 characters: use another --label")
    })?;
    Ok(label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_those_that_are_offered() {
        for (asked, names) in [
            (None, "read publish social manage"),
            (Some("  "), "read publish social manage"),
            (Some("read write"), "read publish social manage"),
            (Some("write"), "publish social manage"),
            (Some("publish read publish"), "read publish"),
        ] {
            assert_eq!(scope_names(&scopes(asked).unwrap()), names, "{asked:?}");
        }
        for unknown in ["tokens", "admin", "Read", "read,write"] {
            assert_eq!(scopes(Some(unknown)), Err(unknown.to_owned()));
        }
    }

    #[test]
    fn label_is_one_short_line() {
        assert_eq!(label(Some(" my laptop ".into()), "CLI").unwrap(), "my laptop");
        assert_eq!(label(Some(" ".into()), "CLI").unwrap(), "CLI");
        for bad in ["a\nb", "a\u{202e}b", &"a".repeat(65)] {
            assert!(label(Some(bad.to_owned()), "CLI").is_err(), "{bad:?}");
        }
    }
}
