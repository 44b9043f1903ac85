//! The client of a request: the peer, or the address that a trusted proxy names.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use hyper::HeaderMap;
use hyper::header::HeaderName;
use ipnet::IpNet;
use registry::fair_share::{Owner, client_of};
use serde::Deserialize;

use crate::response_headers::request_id::RequestId;

static X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The client of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClientAddress {
    /// Its address. An IPv4 address is never mapped to IPv6.
    Known(IpAddr),
    /// Not named by a trusted proxy. Has the number of the connection, so that two
    /// such clients are not taken for one.
    Unknown(u64),
}

impl ClientAddress {
    /// The address, if it is known.
    pub fn known(&self) -> Option<IpAddr> {
        match self {
            Self::Known(address) => Some(*address),
            Self::Unknown(_) => None,
        }
    }

    /// The unit that rate limits count for: an IPv4 address, the /64 network of an
    /// IPv6 address, or the connection.
    #[must_use]
    pub fn network(&self) -> Self {
        match self {
            Self::Known(address) => Self::Known(client_of(*address)),
            Self::Unknown(_) => *self,
        }
    }

    /// The one to whom a share of something bounded counts.
    pub fn owner(&self) -> Owner {
        match self {
            Self::Known(address) => Owner::of_address(*address),
            Self::Unknown(_) => Owner::unrelated(self.key()),
        }
    }

    /// The text under which local data count it, which several servers may share and which outlive them.
    pub fn key(&self) -> String {
        /// Tells connections of one process from those of others.
        static PROCESS: LazyLock<RequestId> = LazyLock::new(RequestId::random);
        match self {
            Self::Known(address) => address.to_string(),
            Self::Unknown(connection) => format!("connection {connection} of {}", PROCESS.as_str()),
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

/// The proxies whose `X-Forwarded-For` is trusted. Default: none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct TrustedProxies(Arc<[IpNet]>);

impl TryFrom<Vec<String>> for TrustedProxies {
    type Error = String;

    /// Reads addresses and networks, for example `10.0.0.1` and `10.0.0.0/8`.
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
    /// The client of a request that arrived from `peer` over this connection.
    ///
    /// Each proxy appends the address of its own peer, so the header is read from
    /// the right up to the first address that is not a trusted proxy: that client
    /// could have written everything left of it. If all addresses are trusted
    /// proxies, the leftmost is the client.
    pub fn client(&self, peer: IpAddr, connection: u64, headers: &HeaderMap) -> ClientAddress {
        let peer = peer.to_canonical();
        if !self.contains(peer) {
            return ClientAddress::Known(peer);
        }
        self.forwarded(headers).map_or(ClientAddress::Unknown(connection), ClientAddress::Known)
    }

    /// The client whose limit of connections applies. A trusted proxy has none, because its
    /// connections are those of many clients.
    pub(crate) fn client_of_connection(&self, peer: IpAddr, connection: u64) -> ClientAddress {
        let peer = peer.to_canonical();
        if self.contains(peer) { ClientAddress::Unknown(connection) } else { ClientAddress::Known(peer) }
    }

    /// The client in `X-Forwarded-For`. `None` if an entry on the way is invalid,
    /// because nothing left of it can be trusted.
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

/// Parses an address as proxies write it: alone, with a port, or in brackets.
fn address(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse().ok().map(|with_port: SocketAddr| with_port.ip()))
}

#[cfg(test)]
mod tests;
