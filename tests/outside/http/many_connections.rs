//! Clients that open many connections.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;

use crate::harness::{Registry, eventually};

/// A connection on which one request was answered, and which stays open.
fn kept_alive(registry: &Registry) -> BufReader<TcpStream> {
    try_kept_alive(registry).expect("a response")
}

/// None if the server closes the connection without a response.
fn try_kept_alive(registry: &Registry) -> Option<BufReader<TcpStream>> {
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    connection.write_all(b"HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n").ok()?;
    let mut reader = BufReader::new(connection);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        reader.read_line(&mut line).ok().filter(|read| *read > 0)?;
    }
    Some(reader)
}

/// Whether the server has closed the connection.
fn is_closed(connection: &BufReader<TcpStream>) -> bool {
    let stream = connection.get_ref();
    stream.set_nonblocking(true).unwrap();
    let is_closed = matches!(stream.peek(&mut [0]), Ok(0));
    stream.set_nonblocking(false).unwrap();
    is_closed
}

#[test]
fn longest_idle_connection_makes_room_on_a_full_server() {
    let registry = Registry::with_config("[limits]\nconnections = 8\nheader_timeout = 3600\n");
    let held: Vec<_> = (0..8).map(|_| kept_alive(&registry)).collect();
    let mut newer = Vec::new();
    // The harness has connections too, which may be older.
    eventually("the oldest one was closed", || {
        newer.push(kept_alive(&registry));
        is_closed(&held[0]).then_some(())
    });
}

#[test]
fn client_with_many_connections_loses_only_its_own() {
    let registry = Registry::with_config("[limits]\nconnections_per_client = 4\nheader_timeout = 3600\n");
    let held: Vec<_> = (0..4).map(|_| kept_alive(&registry)).collect();
    let mut newer = Vec::new();
    // Until the others are idle, a further one is closed without a response. The harness has
    // connections too, which may be older.
    eventually("the oldest one was closed", || {
        newer.push(try_kept_alive(&registry)?);
        is_closed(&held[0]).then_some(())
    });
}
