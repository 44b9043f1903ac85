//! Representations over a connection.

use std::io::Write;

use generator::address::Format;
use registry::names::Digest;
use server::Response;
use server::problem::Problem;
use server::reads::representation::{Payload, Representation};
use server::request::Request;
use server::response_headers::cache_control::CacheClass;
use server::security::cors::preflight;

use crate::harness::{limits, start};

const TEXT: &[u8] = b"0123456789";

async fn file(request: Request) -> Result<Response, Problem> {
    if request.method == hyper::Method::OPTIONS {
        return Ok(preflight("GET, HEAD"));
    }
    let mut file = tempfile::tempfile().map_err(Problem::internal)?;
    file.write_all(TEXT).map_err(Problem::internal)?;
    // `/short` promises more bytes than the file has.
    let size = if request.path.raw() == "/short" { 20 } else { 10 };
    let document = Representation {
        body: Payload::File { file, size },
        format: Format::Json,
        etag: Digest::of(TEXT),
        last_modified: None,
        cache: CacheClass::Fresh,
        filename: None,
        repr_digest: None,
        coding: server::reads::representation::Coding::Fixed,
    };
    document.into_response(&request.method, &request.headers)
}

#[tokio::test]
async fn reads_with_and_without_conditions_are_answered() {
    let server = start(limits(), file);
    let mut client = server.connect().await;
    let tag = format!("\"{}\"", Digest::of(TEXT));
    for (method, header, status, length, body) in [
        ("GET", "X: y", 200, "10", "0123456789"),
        ("HEAD", "X: y", 200, "10", ""),
        ("GET", "Range: bytes=3-4", 206, "2", "34"),
        ("GET", &format!("If-None-Match: {tag}"), 304, "", ""),
        ("HEAD", &format!("If-None-Match: {tag}"), 304, "", ""),
        ("OPTIONS", "Origin: https://a.example", 204, "", ""),
        ("GET", "X: y", 200, "10", "0123456789"),
    ] {
        client.send(format!("{method} / HTTP/1.1\r\nHost: a\r\n{header}\r\n\r\n")).await;
        let answer = client.answer(method == "HEAD").await.unwrap();
        let seen = (answer.status, answer.header("content-length"), &*answer.body);
        assert_eq!(seen, (status, length, body), "{method} {header}");
        assert_eq!(answer.header("access-control-allow-origin"), "*");
        assert!(
            status == 204 || (answer.header("etag") == tag && answer.header("transfer-encoding").is_empty())
        );
    }
    client.send("GET / HTTP/1.1\r\nHost: a\r\nRange: bytes=10-\r\n\r\n").await;
    let answer = client.answer(false).await.unwrap();
    assert_eq!((&*answer.problem(), answer.header("content-range")), ("range_not_satisfiable", "bytes */10"));
}

#[tokio::test]
async fn file_shorter_than_promised_closes_the_connection() {
    let server = start(limits(), file);
    let mut client = server.connect().await;
    client.send("GET /short HTTP/1.1\r\nHost: a\r\n\r\n").await;
    assert!(client.answer(false).await.is_none());
}
