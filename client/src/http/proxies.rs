//! Proxy settings from environment variables.

use std::ffi::OsString;
use std::fmt;

use ureq::{Proxy, ProxyProtocol};
use url::Url;

use crate::registry_address::without_secrets;

/// Reads an environment variable.
pub(super) type Variable<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// A proxy and the variable that names it. `Display` shows no password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ProxyName {
    /// The variable.
    pub variable: String,
    /// The address without user name and password.
    pub address: String,
    /// Whether the address has a user name or password.
    pub has_login: bool,
}

impl fmt::Display for ProxyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the proxy {}, which {} names", self.address, self.variable)
    }
}

/// Reads the proxy from the variable `name`, or else from `all_proxy`. The error names the
/// variable, and its value without a password.
pub(super) fn proxy(name: &str, variable: Variable<'_>) -> Result<Option<(Proxy, ProxyName)>, String> {
    let Some((variable, text)) = either_case(name, variable).or_else(|| either_case("all_proxy", variable))
    else {
        return Ok(None);
    };
    // ureq takes the default port for an invalid one.
    let url = if text.contains("://") { Url::parse(&text) } else { Url::parse(&format!("http://{text}")) };
    match (Proxy::new(&text), url) {
        (Ok(proxy), Ok(url)) if proxy.protocol() != ProxyProtocol::Socks4 => {
            let has_login = proxy.username().is_some() || proxy.password().is_some();
            let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
            let address = format!("{}://{}{port}", url.scheme(), url.host_str().unwrap_or_default());
            Ok(Some((proxy, ProxyName { variable, address, has_login })))
        }
        _ => Err(format!(
            "{variable} names a proxy that cannot be used, `{}`: only addresses like \
             http://proxy.example.org:3128, https://proxy.example.org or socks5h://proxy.example.org are supported",
            without_secrets(&text)
        )),
    }
}

/// The name and value of a variable in lower case, or else in upper case. An empty variable
/// counts as not set.
pub(super) fn either_case(name: &str, variable: Variable<'_>) -> Option<(String, String)> {
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

    /// The proxies for `http` and `https`, each with its variable.
    fn named(variables: &[(&str, &str)]) -> [Option<String>; 2] {
        ["http_proxy", "https_proxy"].map(|name| {
            let found = read(variables, |variable| proxy(name, variable)).unwrap();
            found.map(|(_, ProxyName { variable, address, .. })| format!("{variable} {address}"))
        })
    }

    #[test]
    fn proxy_is_chosen_by_scheme() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(
            named(&[("https_proxy", "http://a.example:1"), ("HTTPS_PROXY", "http://b.example")]),
            [None, some("https_proxy http://a.example:1")]
        );
        assert_eq!(
            named(&[("HTTP_PROXY", "ann:secret@b.example:3128"), ("ALL_PROXY", "https://c.example")]),
            [some("HTTP_PROXY http://b.example:3128"), some("ALL_PROXY https://c.example")]
        );
        assert_eq!(named(&[("http_proxy", ""), ("ALL_PROXY", " ")]), [None, None]);
        assert_eq!(
            named(&[("all_proxy", "socks5h://ann:secret@d.example:1080")])[0],
            some("all_proxy socks5h://d.example:1080")
        );
    }

    #[test]
    fn unsupported_proxy_is_an_error_without_its_password() {
        for (text, shown) in [
            ("socks4://ann:secret@a.example", "`socks4://…@a.example`"),
            ("http://ann:secret@a.example:99999", "`http://…@a.example:99999`"),
            ("ann:secret@a.example:x", "`…@a.example:x`"),
            ("foo://a.example", "`foo://a.example`"),
            ("http://", "`http://`"),
            ("\u{1b}://a", "`\\u{1b}://a`"),
            ("http://a b", "`http://a b`"),
        ] {
            let why = read(&[("all_proxy", text)], |variable| proxy("http_proxy", variable)).unwrap_err();
            assert!(why.starts_with("all_proxy names a proxy") && why.contains(shown), "{why}");
            assert!(!why.contains("secret") && !why.contains('\u{1b}'), "{why}");
        }
    }
}
