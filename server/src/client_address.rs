//! Whose request it is: the peer, or whom a proxy that is trusted names.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use hyper::HeaderMap;
use hyper::header::HeaderName;
use ipnet::IpNet;
use serde::Deserialize;

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// How much of an IPv6 address tells clients apart, in bits: a household or a
/// rented machine has a /64 and every address in it (RFC 6177).
const IPV6_NETWORK: u32 = 64;

/// Where a request comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientAddress {
    /// From there. An IPv4 address is never written as an IPv6 one.
    Known(IpAddr),
    /// A trusted proxy does not say. The number is the connection's, so that
    /// no two such clients are taken for one.
    Unknown(u64),
}

impl ClientAddress {
    /// The address, where there is one.
    pub fn known(&self) -> Option<IpAddr> {
        match self {
            Self::Known(address) => Some(*address),
            Self::Unknown(_) => None,
        }
    }

    /// What limits are counted for: an IPv4 address, the /64 network of an IPv6
    /// one, or else the connection.
    #[must_use]
    pub fn network(&self) -> Self {
        match self {
            Self::Known(IpAddr::V6(address)) => {
                let mask = u128::MAX << (u128::BITS - IPV6_NETWORK);
                Self::Known(Ipv6Addr::from_bits(address.to_bits() & mask).into())
            }
            other => *other,
        }
    }
}

impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(address) => address.fmt(f),
            Self::Unknown(connection) => write!(f, "connection {connection}"),
        }
    }
}

/// The proxies whose `X-Forwarded-For` is believed; none unless there are some.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TryFrom<Vec<String>> for TrustedProxies {
    type Error = String;

    /// From addresses and networks, as `10.0.0.1` and `10.0.0.0/8`.
    fn try_from(texts: Vec<String>) -> Result<Self, String> {
        let network = |text: &String| {
            let address = IpAddr::from_str(text).map(IpNet::from);
            address.or_else(|_| IpNet::from_str(text)).map_err(|_| {
                format!("`{text}` is neither an address nor a network: write it like 10.0.0.1 or 10.0.0.0/8")
            })
        };
        texts.iter().map(network).collect::<Result<_, _>>().map(Self)
    }
}

impl TrustedProxies {
    /// Where a request comes from that arrived from `peer` over that connection.
    ///
    /// Each proxy adds at the right whom it was called by, so the header is read
    /// from there: what stands left of the first stranger is only that
    /// stranger's word. Where all are proxies, the first of them was the client.
    pub fn client(&self, peer: IpAddr, connection: u64, headers: &HeaderMap) -> ClientAddress {
        let peer = peer.to_canonical();
        if !self.contains(peer) {
            return ClientAddress::Known(peer);
        }
        self.forwarded(headers).map_or(ClientAddress::Unknown(connection), ClientAddress::Known)
    }

    /// None also where something in the way cannot be read: what stands left of
    /// it is nobody's word.
    fn forwarded(&self, headers: &HeaderMap) -> Option<IpAddr> {
        let mut farthest = None;
        for value in headers.get_all(&X_FORWARDED_FOR).iter().rev() {
            let entries = value.to_str().ok()?.rsplit(',').map(str::trim);
            for entry in entries.filter(|entry| !entry.is_empty()) {
                let address = address(entry)?.to_canonical();
                farthest = Some(address);
                if !self.contains(address) {
                    return farthest;
                }
            }
        }
        farthest
    }

    fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// An address as proxies write it: alone, with a port, or in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse().ok().map(|with_port: SocketAddr| with_port.ip()))
}

#[cfg(test)]
mod tests;
