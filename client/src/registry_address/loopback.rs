//! Addresses of the local machine.

use url::{Host, Url};

/// Whether a URL addresses the local machine, so that nobody can listen in.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        // RFC 6761, section 6.3, reserves these names for loopback.
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
