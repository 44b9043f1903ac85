//! Proxy settings from environment variables.

use std::ffi::OsString;

use ureq::{Proxy, ProxyProtocol};
use url::Url;

use crate::registry_address::is_loopback;

/// Reads an environment variable.
pub(super) type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// Reads the proxy from the variable `name`, or else from `all_proxy`. The error names the
/// variable, but not its value, which may contain a password.
pub(super) fn proxy(name: &str, variable: Variable<'_>) -> Result<Option<Proxy>, String> {
    let Some((name, text)) = either_case(name, variable).or_else(|| either_case("all_proxy", variable))
    else {
        return Ok(None);
    };
    match Proxy::new(&text) {
        Ok(proxy) if matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) => {
            Ok(Some(proxy))
        }
        _ => Err(format!(
            "{name} names a proxy that cannot be used: only addresses like http://proxy.example.org:3128 or \
             https://proxy.example.org are supported"
        )),
    }
}

/// The hosts that are connected to directly.
pub(super) struct NoProxy(Vec<String>);

impl NoProxy {
    /// Reads `no_proxy`.
    pub(super) fn read(variable: Variable<'_>) -> Self {
        let text = either_case("no_proxy", variable).map(|(_, text)| text.to_lowercase()).unwrap_or_default();
        Self(text.split([',', ' ']).filter(|entry| !entry.is_empty()).map(str::to_owned).collect())
    }

    /// Whether `url` is on the local machine or matches an entry. An entry is `*`, or a host.
    /// A host includes its subdomains.
    pub(super) fn applies_to(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return true };
        let host = host.trim_matches(['[', ']']);
        let matches = |entry: &String| {
            let name = entry.trim_start_matches("*.").trim_start_matches('.').trim_matches(['[', ']']);
            entry == "*" || host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        };
        is_loopback(url) || self.0.iter().any(matches)
    }
}

/// The name and value of a variable in lower case, or else in upper case. An empty variable
/// counts as not set.
fn either_case(name: &str, variable: Variable<'_>) -> Option<(String, String)> {
    [name.to_owned(), name.to_uppercase()].into_iter().find_map(|name| {
        let value = variable(&name)?.to_string_lossy().trim().to_owned();
        (!value.is_empty()).then_some((name, value))
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn read<T>(variables: &[(&str, &str)], read: impl Fn(Variable<'_>) -> T) -> T {
        read(&|name| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into()))
    }

    /// The hosts of the proxies for `http` and `https`.
    fn hosts(variables: &[(&str, &str)]) -> [Option<String>; 2] {
        ["http_proxy", "https_proxy"].map(|name| {
            read(variables, |variable| proxy(name, variable)).unwrap().map(|proxy| proxy.host().to_owned())
        })
    }

    #[test]
    fn proxy_is_chosen_by_scheme() {
        let [a, b, c] = ["a.example", "b.example", "c.example"].map(|host| Some(host.to_owned()));
        assert_eq!(
            hosts(&[("https_proxy", "http://a.example:1"), ("HTTPS_PROXY", "http://b.example")]),
            [None, a]
        );
        assert_eq!(hosts(&[("HTTP_PROXY", "b.example:3128"), ("ALL_PROXY", "https://c.example")]), [b, c]);
        assert_eq!(hosts(&[("http_proxy", ""), ("ALL_PROXY", " ")]), [None, None]);
    }

    #[test]
    fn unsupported_proxy_is_an_error_without_its_value() {
        for text in
            ["socks5://ann:secret@a.example", "foo://a.example", "http://", "\u{1b}://a", "http://a b"]
        {
            let why = read(&[("all_proxy", text)], |variable| proxy("http_proxy", variable)).unwrap_err();
            assert!(why.starts_with("all_proxy names a proxy") && !why.contains("secret"), "{why}");
            assert!(!why.contains('\u{1b}'));
        }
    }

    #[test]
    fn no_proxy_matches_hosts_and_subdomains() {
        let entries = "a.example, .b.example,*.c.example,10.0.0.1,[fd00::1]";
        let no_proxy = read(&[("NO_PROXY", entries)], NoProxy::read);
        for (url, expected) in [
            ("http://a.example", true),
            ("http://x.A.example:81/y", true),
            ("http://ba.example", false),
            ("http://b.example", true),
            ("http://x.b.example", true),
            ("http://x.c.example", true),
            ("http://10.0.0.1", true),
            ("http://110.0.0.1", false),
            ("http://[fd00::1]", true),
            ("http://d.example", false),
            ("http://127.0.0.1:8080", true),
            ("http://[::1]:8080", true),
            ("https://localhost", true),
        ] {
            assert_eq!(no_proxy.applies_to(&url.parse().unwrap()), expected, "{url}");
        }
        let all = read(&[("no_proxy", "*")], NoProxy::read);
        assert!(all.applies_to(&"http://d.example".parse().unwrap()));
    }
}
