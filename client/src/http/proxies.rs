//! Which proxy the environment names for an address.

use std::ffi::OsString;

use ureq::{Proxy, ProxyProtocol};
use url::Url;

use crate::loopback::is_loopback;

/// A variable of the environment.
pub(super) type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// What one scheme's requests go through, or what is wrong with the variable that says it.
pub(super) type Named = Result<Option<Proxy>, String>;

/// The proxies of the environment. Each variable is read in lower case first.
pub(super) struct Proxies {
    /// For `http`: `http_proxy`, else `all_proxy`.
    pub plain: Named,
    /// For `https`: `https_proxy`, else `all_proxy`.
    pub encrypted: Named,
    /// Hosts that are asked without one: `no_proxy`.
    direct: Vec<String>,
}

impl Proxies {
    pub(super) fn read(variable: Variable<'_>) -> Self {
        let direct = either_case("no_proxy", variable).map(|(_, text)| text).unwrap_or_default();
        let direct = direct.split([',', ' ']).map(|entry| entry.trim().to_lowercase());
        Self {
            plain: named("http_proxy", variable),
            encrypted: named("https_proxy", variable),
            direct: direct.filter(|entry| !entry.is_empty()).collect(),
        }
    }

    /// Whether no proxy is asked for that address: one of this machine, or one that
    /// `no_proxy` names: a host with all below it, or `*`.
    pub(super) fn are_not_for(&self, url: &Url) -> bool {
        let Some(host) = url.host_str() else { return true };
        let host = host.trim_matches(['[', ']']);
        let is_named = |entry: &String| {
            let name = entry.trim_start_matches("*.").trim_start_matches('.').trim_matches(['[', ']']);
            entry == "*" || host == name || host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'))
        };
        is_loopback(url) || self.direct.iter().any(is_named)
    }
}

fn named(name: &str, variable: Variable<'_>) -> Named {
    let Some((name, text)) = either_case(name, variable).or_else(|| either_case("all_proxy", variable))
    else {
        return Ok(None);
    };
    // The text is not shown: it may have a password.
    let refused = |why: &str| format!("{name} names a proxy that cannot be used: {why}");
    let scheme = text.split_once("://").map_or("http", |(scheme, _)| scheme).to_lowercase();
    if scheme != "http" && scheme != "https" {
        let known = scheme.chars().all(|c| c.is_ascii_alphanumeric());
        let scheme = if known { format!("{scheme}://") } else { "its scheme".to_owned() };
        return Err(refused(&format!("{scheme} is not spoken here, only http:// and https:// are")));
    }
    match Proxy::new(&text) {
        Ok(proxy) if matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) => {
            Ok(Some(proxy))
        }
        _ => Err(refused("it is no address like http://proxy.example.org:3128")),
    }
}

/// The variable of that name in lower or upper case, with the name that it has; one that is
/// empty is not set.
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

    fn read(variables: &[(&str, &str)]) -> Proxies {
        Proxies::read(&|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    fn host(named: &Named) -> Option<&str> {
        named.as_ref().unwrap().as_ref().map(Proxy::host)
    }

    #[test]
    fn each_scheme_has_its_own() {
        let some = read(&[("https_proxy", "http://a.example:1"), ("HTTPS_PROXY", "http://b.example")]);
        assert_eq!((host(&some.plain), host(&some.encrypted)), (None, Some("a.example")));
        let some = read(&[("HTTP_PROXY", "b.example:3128"), ("ALL_PROXY", "https://c.example")]);
        assert_eq!((host(&some.plain), host(&some.encrypted)), (Some("b.example"), Some("c.example")));
        let none = read(&[("http_proxy", ""), ("ALL_PROXY", " ")]);
        assert_eq!((host(&none.plain), host(&none.encrypted)), (None, None));
    }

    #[test]
    fn what_is_no_proxy_of_ours_is_said() {
        for text in
            ["socks5://ann:secret@a.example", "foo://a.example", "http://", "\u{1b}://a", "http://a b"]
        {
            let why = read(&[("all_proxy", text)]).plain.unwrap_err();
            assert!(why.starts_with("all_proxy names a proxy") && !why.contains("secret"), "{why}");
            assert!(!why.contains('\u{1b}'));
        }
    }

    #[test]
    fn some_hosts_are_asked_directly() {
        let proxies = read(&[("NO_PROXY", "a.example, .b.example,*.c.example,10.0.0.1,[fd00::1]")]);
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
            assert_eq!(proxies.are_not_for(&url.parse().unwrap()), expected, "{url}");
        }
        assert!(read(&[("no_proxy", "*")]).are_not_for(&"http://d.example".parse().unwrap()));
    }
}
