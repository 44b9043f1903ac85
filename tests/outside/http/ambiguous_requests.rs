//! Requests that a proxy and the server could read differently.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::harness::{Registry, Shared};

static RUNNING: Shared<Registry> = Shared::new();

/// Sends `sent` and returns everything until the server closes the connection.
fn exchange(sent: &str) -> String {
    let registry = RUNNING.get(Registry::start);
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    connection.write_all(sent.as_bytes()).unwrap();
    let mut received = Vec::new();
    // A reset is an end too.
    let _ = connection.read_to_end(&mut received);
    String::from_utf8_lossy(&received).into_owned()
}

#[test]
fn request_with_several_meanings_is_refused_and_its_connection_closed() {
    let chunked = "Transfer-Encoding: chunked\r\n";
    for (name, header) in [
        ("no Host", String::new()),
        ("two Hosts", "Host: a\r\nHost: b\r\n".into()),
        ("two credentials", "Host: a\r\nAuthorization: Bearer x\r\nAuthorization: Bearer y\r\n".into()),
        ("another coding", "Host: a\r\nTransfer-Encoding: gzip, chunked\r\n".into()),
        ("a coding twice", format!("Host: a\r\n{chunked}{chunked}")),
        ("two lengths", "Host: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n".into()),
    ] {
        for method in ["GET", "POST"] {
            // What follows the header would be a second request for a program that sees no body.
            let sent =
                format!("{method} /healthz HTTP/1.1\r\n{header}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n");
            let received = exchange(&sent);
            assert!(received.starts_with("HTTP/1.1 400"), "{name}, {method}: {received}");
            assert_eq!(received.matches("HTTP/1.1").count(), 1, "{name}, {method}: {received}");
        }
    }
}

#[test]
fn length_beside_a_coding_is_ignored_and_the_connection_closed() {
    let header = "Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n";
    let received =
        exchange(&format!("GET /healthz HTTP/1.1\r\n{header}\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n"));
    assert!(received.contains("connection: close"), "{received}");
    assert_eq!(received.matches("HTTP/1.1").count(), 1, "{received}");
}

#[test]
fn old_request_without_host_is_answered() {
    assert!(exchange("GET /healthz HTTP/1.0\r\n\r\n").contains(" 200 OK"));
}

/// RFC 9112, section 2.2, allows it. The reason is in `docs/decisions`.
#[test]
fn bare_line_feed_ends_a_line() {
    let received = exchange("GET /healthz HTTP/1.1\nHost: a\nConnection: close\n\nGET /healthz HTTP/1.1\n\n");
    assert!(received.starts_with("HTTP/1.1 200"), "{received}");
    assert_eq!(received.matches("HTTP/1.1").count(), 1, "{received}");
}
