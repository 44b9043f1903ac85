//! The address that the server listens on.

use std::fmt;
use std::net::{SocketAddr, ToSocketAddrs};

use serde::Deserializer;
use serde::de::{Error, Unexpected, Visitor};

/// Reads an address: `127.0.0.1:8080`, `[::1]:8080`, `localhost:8080`, or a port alone (`8080` or
/// `:8080`), which means 127.0.0.1.
///
/// A name is looked up, and its first address is taken.
///
/// Errors: the text is not an address, or the name is unknown. Says what to write.
pub fn listen_address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(port) = text.strip_prefix(':').unwrap_or(text).parse() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    let advice = "write an address and a port like 127.0.0.1:8080, or a port alone";
    if !text.contains(':') {
        return Err(format!("`{text}` has no port: {advice}"));
    }
    let mut found = text.to_socket_addrs().map_err(|why| format!("cannot use `{text}`: {why}; {advice}"))?;
    found.next().ok_or_else(|| format!("`{text}` has no address: {advice}"))
}

/// Reads the setting: a text, or a port as a number.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SocketAddr, D::Error> {
    from.deserialize_any(ListenVisitor)
}

/// Reads the setting of a listener that is off by default.
pub fn deserialize_some<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SocketAddr>, D::Error> {
    deserialize(from).map(Some)
}

struct ListenVisitor;

impl Visitor<'_> for ListenVisitor {
    type Value = SocketAddr;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an address like \"127.0.0.1:8080\", or a port from 0 to 65535")
    }

    fn visit_i64<E: Error>(self, port: i64) -> Result<SocketAddr, E> {
        let port = u16::try_from(port).map_err(|_| E::invalid_value(Unexpected::Signed(port), &self))?;
        Ok(SocketAddr::from(([127, 0, 0, 1], port)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<SocketAddr, E> {
        listen_address(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_alone_listens_on_this_machine() {
        for text in ["8082", ":8082", "127.0.0.1:8082"] {
            assert_eq!(listen_address(text), Ok(SocketAddr::from(([127, 0, 0, 1], 8082))), "{text}");
        }
        assert_eq!(listen_address("[::1]:1").map(|address| address.port()), Ok(1));
        assert!(listen_address("localhost:8082").is_ok_and(|address| address.ip().is_loopback()));
    }

    #[test]
    fn error_says_what_to_write() {
        for text in ["localhost", "", "127.0.0.1", "a b:80", "127.0.0.1:99999", "70000"] {
            let why = listen_address(text).err().unwrap_or_default();
            assert!(why.contains("127.0.0.1:8080"), "{text}: {why}");
        }
    }
}
