//! Addresses of the machine itself.

use url::{Host, Url};

/// Whether a URL leads to the machine itself, so that nobody is on the way.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        // RFC 6761, section 6.3: these names are the machine itself.
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        None => false,
    }
}
