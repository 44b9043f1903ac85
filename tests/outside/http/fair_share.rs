//! Clients that hold what all share, behind a proxy that names them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::harness::{Registry, eventually};

const PROXIED: &str = "[limits]\nconnections = 12\nbody_timeout = 3600\nheader_timeout = 3600\ntrusted_proxies = [\"127.0.0.1\"]\n";

/// A connection of the proxy with the beginning of a request for this client.
fn begin(registry: &Registry, client: &str, request: &str) -> BufReader<TcpStream> {
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    let (line, rest) = request.split_once('\n').unwrap();
    write!(connection, "{line}\r\nHost: a\r\nX-Forwarded-For: {client}\r\n{rest}\r\n").unwrap();
    BufReader::new(connection)
}

/// A request whose body does not arrive.
fn slow(registry: &Registry, client: &str) -> BufReader<TcpStream> {
    let headers = "Content-Type: application/json\r\nContent-Length: 1000\r\n";
    begin(registry, client, &format!("POST /api/cli/device/code HTTP/1.1\n{headers}"))
}

fn status(connection: &mut BufReader<TcpStream>) -> Option<String> {
    let mut line = String::new();
    connection.read_line(&mut line).ok().filter(|read| *read > 0)?;
    line.split(' ').nth(1).map(str::to_owned)
}

/// Whether the server has closed the connection.
fn is_closed(connection: &BufReader<TcpStream>) -> bool {
    let stream = connection.get_ref();
    stream.set_nonblocking(true).unwrap();
    let is_closed =
        !matches!(stream.peek(&mut [0]), Err(why) if why.kind() == std::io::ErrorKind::WouldBlock);
    stream.set_nonblocking(false).unwrap();
    is_closed
}

#[test]
fn network_with_most_connections_makes_room_for_others() {
    for [attacker, honest, newcomer] in [
        // An IPv6 /62 has four networks of 64 bits, an IPv4 /24 has 256 addresses.
        ["2001:db8:0:N::1", "2001:db8:7::1", "198.51.100.1"],
        ["203.0.113.N", "198.51.100.1", "198.51.101.1"],
    ] {
        let registry = Registry::with_config(PROXIED);
        let first = slow(&registry, honest);
        let held: Vec<_> =
            (0..40).map(|n| slow(&registry, &attacker.replace('N', &(n % 4).to_string()))).collect();
        let mut newer = Vec::new();
        for _ in 0..4 {
            let answer = eventually("a newcomer is answered", || {
                newer.push(begin(&registry, newcomer, "GET /healthz HTTP/1.1\n"));
                status(newer.last_mut()?)
            });
            assert_eq!(answer, "200");
        }
        assert!(held.iter().any(is_closed), "those of {attacker} make room");
        assert!(!is_closed(&first), "{honest} has only one");
    }
}
