//! The scopes and the name that a client asks for.

use registry::ops::tokens;
use registry::private::{Scope, Scopes};

use super::super::prelude::*;

/// The scopes that a client can get, and what a person understands by them. Not `tokens`: a client
/// makes no credentials.
pub(super) const OFFERED: [(Scope, &str); 4] = [
    (Scope::Read, "see your skills, tags, members and reviews"),
    (Scope::Publish, "publish skills"),
    (Scope::Social, "star and rate skills"),
    (Scope::Manage, "change, move and remove your skills, and manage namespaces, members and reviews"),
];

/// The scopes that a client asks for: names of scopes, or `write` for everything but reading. All
/// of them if it names none. The error is an unknown name.
pub(super) fn scopes(asked: Option<&str>) -> Result<Scopes, String> {
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
pub(super) fn scope_names(scopes: &Scopes) -> String {
    let names: Vec<_> =
        OFFERED.iter().filter(|(scope, _)| scopes.has(*scope)).map(|(s, _)| s.as_str()).collect();
    names.join(" ")
}

/// The name of a client, which becomes that of its token.
pub(super) fn label(asked: Option<String>, default: &str) -> Result<String, Problem> {
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
