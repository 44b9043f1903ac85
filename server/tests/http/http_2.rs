//! The server speaks HTTP/1 only: it sends no HTTP/2 frame, however it is asked.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::harness::{limits, start};
use crate::requests::table;

/// What an HTTP/2 client sends first (RFC 9113, section 3.4), then an empty SETTINGS frame.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";

/// `GET /healthz` on stream 1, as a HEADERS frame that ends its stream. The header block
/// names `:method GET`, `:scheme http`, `:path /healthz` and `:authority a`.
const GET: &[u8] = b"\0\0\x0f\x01\x05\0\0\0\x01\x82\x86\x04\x08/healthz\x01\x01a";

/// A request that offers to go on in HTTP/2 (h2c, RFC 7540, section 3.2).
const UPGRADE: &[u8] = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\n\
    Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n";

/// Everything that the server at `address` sends in reply to `request`.
async fn reply(address: SocketAddr, request: &[u8]) -> Vec<u8> {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request).await.unwrap();
    stream.shutdown().await.unwrap();
    let mut reply = Vec::new();
    // A reset ends the reply too.
    let _ = stream.read_to_end(&mut reply).await;
    reply
}

/// Whether a reply accepts HTTP/2: by a SETTINGS frame on stream 0, which every server sends
/// first, or by switching protocols.
fn is_http_2(reply: &[u8]) -> bool {
    let is_settings = reply.len() >= 9 && reply[3] == 4 && reply[5..9] == [0; 4];
    is_settings || reply.starts_with(b"HTTP/1.1 101")
}

#[tokio::test]
async fn http_2_by_prior_knowledge_is_refused() {
    let server = start(limits(), table);
    let reply = reply(server.address, &[PREFACE, GET].concat()).await;
    assert!(!is_http_2(&reply), "{}", reply.escape_ascii());
    let is_refused = reply.is_empty() || reply.starts_with(b"HTTP/1.1 4");
    assert!(is_refused, "{}", reply.escape_ascii());
}

#[tokio::test]
async fn http_2_by_upgrade_is_ignored() {
    let server = start(limits(), table);
    let reply = reply(server.address, UPGRADE).await;
    assert!(!is_http_2(&reply), "{}", reply.escape_ascii());
    assert!(reply.starts_with(b"HTTP/1.1 200") && reply.ends_with(b"/healthz"), "{}", reply.escape_ascii());
}

#[tokio::test]
async fn http_2_server_is_recognised() {
    for answer in [&b"\0\0\0\x04\0\0\0\0\0"[..], b"HTTP/1.1 101 Switching Protocols\r\n\r\n"] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            stream.read_to_end(&mut Vec::new()).await.unwrap();
            stream.write_all(answer).await.unwrap();
        });
        let reply = reply(address, PREFACE).await;
        assert!(is_http_2(&reply), "{}", reply.escape_ascii());
    }
}
