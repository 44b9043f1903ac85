//! Connections that lead to public addresses only, for requests to addresses that others may choose.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ureq::config::Config;
use ureq::http::Uri;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

/// Whether an address is that of a host in the public internet: not of this machine, not of a private network, and
/// not one of those with a special purpose (RFC 6890).
pub fn is_public_address(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(v4) => is_public_v4(v4),
        IpAddr::V6(v6) => is_public_v6(v6),
    }
}

fn is_public_v4(v4: Ipv4Addr) -> bool {
    let [a, b, c, _] = v4.octets();
    let is_special = match (a, b, c) {
        // This network, shared address space, protocol assignments, benchmarks, and reserved ones.
        (0 | 240.., ..) | (192, 0, 0) | (192, 88, 99) => true,
        (100, b, _) => b & 0xc0 == 64,
        (198, b, _) => b & 0xfe == 18,
        _ => false,
    };
    let is_local = v4.is_loopback() || v4.is_private() || v4.is_link_local();
    !(is_special || is_local || v4.is_multicast() || v4.is_documentation())
}

fn is_public_v6(v6: Ipv6Addr) -> bool {
    // These lead to an IPv4 address: mapped, NAT64, and 6to4.
    let v4 = match v6.segments() {
        [0, 0, 0, 0, 0, 0xffff, a, b] | [0x64, 0xff9b, 0, 0, 0, 0, a, b] | [0x2002, a, b, ..] => {
            Some(Ipv4Addr::from((u32::from(a) << 16) | u32::from(b)))
        }
        _ => None,
    };
    if let Some(v4) = v4 {
        return is_public_v4(v4);
    }
    // Only 2000::/3 is given to hosts; Teredo and the documentation are in it.
    let [first, second, ..] = v6.segments();
    first & 0xe000 == 0x2000 && !(first == 0x2001 && (second < 0x200 || second == 0x0db8))
}

/// A name that leads to an address which is not public.
#[derive(Debug, thiserror::Error)]
pub struct NotPublic(String, IpAddr);

impl fmt::Display for NotPublic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is {}, an address of this machine or of a private network", self.0, self.1)
    }
}

/// Resolves names. The connection goes to the addresses that were checked here, so that a name cannot lead elsewhere
/// in the meantime.
#[derive(Debug)]
pub(super) struct CheckingResolver {
    /// Whether all addresses of a name have to be public.
    pub only_public: bool,
}

impl Resolver for CheckingResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = DefaultResolver::default().resolve(uri, config, timeout)?;
        let private = found.iter().map(|address| address.ip()).find(|ip| !is_public_address(*ip));
        match private.filter(|_| self.only_public) {
            None => Ok(found),
            Some(ip) => {
                let host = uri.host().unwrap_or_default().to_owned();
                Err(ureq::Error::Other(Box::new(NotPublic(host, ip))))
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn private_and_special_addresses_are_not_public() {
        for text in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "64:ff9b::7f00:1",
            "2002:7f00:1::",
            "fc00::1",
            "fd12::1",
            "fe80::1",
            "ff02::1",
            "2001:db8::1",
            "2001::1",
            "100::1",
        ] {
            assert!(!is_public_address(text.parse().unwrap()), "{text}");
        }
        for text in [
            "1.1.1.1",
            "100.128.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "2606:4700::1111",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::",
            "2a00::1",
        ] {
            assert!(is_public_address(text.parse().unwrap()), "{text}");
        }
    }
}
