//! The hosts that are asked without a proxy: `NO_PROXY`, as curl and Go read it.

use std::net::IpAddr;

use ipnet::IpNet;
use url::{Host, Url};

use super::proxies::{Variable, either_case};
use crate::registry_address::is_loopback;

/// The entries of `no_proxy`. One that cannot be read applies to no host.
pub(super) struct NoProxy(Vec<Entry>);

enum Entry {
    /// `*`
    All,
    /// A network, such as `10.0.0.0/8`. An address is a network of one.
    Network(IpNet, Option<u16>),
    /// A name, which includes its subdomains.
    Domain(String, Option<u16>),
}

impl NoProxy {
    /// Reads `no_proxy`.
    pub(super) fn read(variable: Variable<'_>) -> Self {
        let text = either_case("no_proxy", variable).map(|(_, text)| text).unwrap_or_default();
        let entries = text.split(|c: char| c == ',' || c.is_whitespace());
        Self(entries.filter_map(Entry::parse).collect())
    }

    /// Whether `url` is on the local machine or matches an entry.
    pub(super) fn applies_to(&self, url: &Url) -> bool {
        let port = url.port_or_known_default();
        let is_port = |wanted: &Option<u16>| wanted.is_none() || *wanted == port;
        let (address, name) = match url.host() {
            None => return true,
            Some(Host::Ipv4(address)) => (Some(IpAddr::from(address)), ""),
            Some(Host::Ipv6(address)) => (Some(IpAddr::from(address).to_canonical()), ""),
            Some(Host::Domain(name)) => (None, name.trim_end_matches('.')),
        };
        let matches = |entry: &Entry| match entry {
            Entry::All => true,
            Entry::Network(network, wanted) => {
                is_port(wanted) && address.is_some_and(|address| network.contains(&address))
            }
            Entry::Domain(domain, wanted) => {
                let rest = name.strip_suffix(domain.as_str());
                is_port(wanted) && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
            }
        };
        is_loopback(url) || self.0.iter().any(matches)
    }
}

impl Entry {
    /// Reads an entry: `*`, or a host or network, with a port if it has one.
    fn parse(text: &str) -> Option<Self> {
        if text == "*" {
            return Some(Self::All);
        }
        if let Some(network) = network(text) {
            return Some(Self::Network(network, None));
        }
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (text, None),
        };
        if let Some(network) = network(host) {
            return Some(Self::Network(network, port));
        }
        let host = host.trim_start_matches('*').trim_matches('.');
        // The form that hosts have in URLs.
        match Host::parse(host).ok()? {
            Host::Domain(name) => Some(Self::Domain(name, port)),
            Host::Ipv4(address) => Some(Self::Network(IpAddr::from(address).into(), port)),
            Host::Ipv6(_) => None,
        }
    }
}

/// A network or an address, perhaps in brackets.
fn network(text: &str) -> Option<IpNet> {
    let text = match text.strip_prefix('[').map(|inside| inside.split_once(']')) {
        None => text.to_owned(),
        Some(Some((address, length))) if length.is_empty() || length.starts_with('/') => {
            format!("{address}{length}")
        }
        Some(_) => return None,
    };
    let canonical = |address: IpAddr| address.to_canonical();
    if let Ok(address) = text.parse().map(canonical) {
        return Some(address.into());
    }
    let network: IpNet = text.parse().ok()?;
    // `::ffff:10.0.0.0/104` means IPv4 addresses.
    match (canonical(network.addr()), network.prefix_len()) {
        (IpAddr::V4(address), length @ 96..) if network.addr().is_ipv6() => {
            IpNet::new(address.into(), length - 96).ok()
        }
        _ => Some(network),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn applies(entries: &str, url: &str) -> bool {
        let variable = |name: &str| (name == "NO_PROXY").then(|| entries.into());
        NoProxy::read(&variable).applies_to(&url.parse().unwrap())
    }

    #[test]
    fn no_proxy_matches_hosts_networks_and_ports() {
        let names = "a.example, .b.example,*.c.example\tD.Example.,bücher.example";
        let addresses = "10.0.0.1 192.168.7.9/16,[fd00::1],fd01::1,2001:db8::/32,[2001:db9::]/32";
        let ports = "a.example:8443,10.0.0.1:81,[fd00::1]:82,*.b.example:83";
        for (entries, url, expected) in [
            (names, "http://a.example", true),
            (names, "http://x.A.example:81/y", true),
            (names, "http://a.example./", true),
            (names, "http://ba.example", false),
            (names, "http://a.example.org", false),
            (names, "http://b.example", true),
            (names, "http://x.b.example", true),
            (names, "http://x.c.example", true),
            (names, "http://d.example", true),
            (names, "http://x.d.example.", true),
            (names, "http://bücher.example", true),
            (names, "http://e.example", false),
            (addresses, "http://10.0.0.1", true),
            (addresses, "http://[::ffff:10.0.0.1]", true),
            (addresses, "http://110.0.0.1", false),
            (addresses, "http://10.0.0.10", false),
            (addresses, "http://192.168.255.1:8080", true),
            (addresses, "http://192.169.0.1", false),
            (addresses, "http://[fd00::1]", true),
            (addresses, "http://[fd01:0::1]:81", true),
            (addresses, "http://[fd00::2]", false),
            (addresses, "http://[2001:db8:1::7]", true),
            (addresses, "http://[2001:db9:1::7]", true),
            (addresses, "http://[2001:dba::7]", false),
            (addresses, "http://10.0.0.1.example", false),
            (ports, "https://a.example:8443", true),
            (ports, "https://x.a.example:8443", true),
            (ports, "https://a.example", false),
            (ports, "http://10.0.0.1:81", true),
            (ports, "http://10.0.0.1", false),
            (ports, "http://[fd00::1]:82", true),
            (ports, "http://[fd00::1]:83", false),
            (ports, "http://x.b.example:83", true),
            ("a.example:443", "https://a.example", true),
            ("0.0.0.0/0", "http://1.2.3.4", true),
            ("0.0.0.0/0", "http://[fd00::1]", false),
            ("::/0", "http://[fd00::1]", true),
            ("::ffff:10.0.0.0/104", "http://10.9.9.9", true),
            ("10.0.0.0/8", "http://10.255.255.255", true),
            ("10.0.0.0/8", "http://ten.example", false),
            ("10.0.0.0/33,10.0.0.0/x,/8,:80,[,a.example:x", "http://10.0.0.1", false),
            ("x,*", "http://d.example", true),
            ("*", "http://[fd00::1]:1", true),
            (".", "http://d.example", false),
            ("", "http://127.0.0.1:8080", true),
            ("", "http://[::1]:8080", true),
            ("", "https://localhost", true),
            ("", "https://a.example", false),
        ] {
            assert_eq!(applies(entries, url), expected, "{entries}: {url}");
        }
    }
}
