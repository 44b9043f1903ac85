//! Client addresses.

use std::net::{IpAddr, SocketAddr};

/// Parses an address with or without a port. None for anything else, such as a host name.
pub fn read(text: &str) -> Option<IpAddr> {
    let bare = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(text);
    bare.parse().ok().or_else(|| text.parse::<SocketAddr>().ok().map(|address| address.ip()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_ignores_ports_and_brackets() {
        let four: IpAddr = "192.0.2.1".parse().unwrap();
        let six: IpAddr = "2001:db8::1".parse().unwrap();
        for (text, expected) in [
            ("192.0.2.1", Some(four)),
            ("192.0.2.1:4711", Some(four)),
            ("2001:db8::1", Some(six)),
            ("[2001:db8::1]", Some(six)),
            ("[2001:db8::1]:4711", Some(six)),
            ("host.example.org", None),
            ("192.0.2.1, 192.0.2.2", None),
            ("-", None),
            ("", None),
        ] {
            assert_eq!(read(text), expected, "{text}");
        }
    }
}
