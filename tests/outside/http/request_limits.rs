//! Limits of requests, and their settings.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::harness::{Registry, Skill, eventually, noise};

const CONFIG: &str = "[limits]\nzip = 100000\nuploads_total = 150000\nbody_timeout = 5\nheader_timeout = 5\n";
const PART: &str = "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.zip\"\r\n\r\n";

/// Sends the beginning of a publish request without a length: `bytes` of its zip.
fn begin(registry: &Registry, bytes: usize) -> TcpStream {
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    let token = registry.admin().token;
    write!(
        connection,
        "POST /api/v1/publish HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: multipart/form-data; boundary=B\r\nTransfer-Encoding: chunked\r\n\r\n{:x}\r\n{PART}",
        PART.len() + bytes
    )
    .unwrap();
    connection.write_all(&vec![b'x'; bytes]).unwrap();
    connection.write_all(b"\r\n").unwrap();
    connection
}

/// Whether the server has responded.
fn is_answered(connection: &TcpStream) -> bool {
    connection.set_nonblocking(true).unwrap();
    let is_answered = connection.peek(&mut [0]).is_ok();
    connection.set_nonblocking(false).unwrap();
    is_answered
}

/// Everything that the server sends until it closes the connection.
fn rest(mut connection: TcpStream) -> String {
    let mut printed = Vec::new();
    // A reset is an end too.
    let _ = connection.read_to_end(&mut printed);
    String::from_utf8_lossy(&printed).into_owned()
}

#[test]
fn concurrent_uploads_share_a_memory_limit() {
    // Here the first one may take its time.
    let registry = Registry::with_config(&CONFIG.replace("body_timeout = 5", "body_timeout = 3600"));
    let admin = registry.admin();
    let mut held = begin(&registry, 95_000);
    let publish = || registry.publish(Skill::named("hello").file("data", noise(80_000, 1))).by(&admin);
    let rehearse =
        || registry.publish(Skill::named("hello").file("data", noise(80_000, 1))).dry_run().by(&admin);
    let refused = eventually("the first upload takes the room of the second", || {
        // One of these may have come first. Then this one is refused.
        if is_answered(&held) {
            held = begin(&registry, 95_000);
        }
        let response = rehearse();
        (response.status == 503).then_some(response)
    });
    refused.problem(503, "unavailable");
    assert!(refused.require_header("retry-after").parse::<u32>().unwrap() > 0, "{refused}");
    drop(held);
    eventually("there is room again", || (publish().status == 201).then_some(()));
}

#[test]
fn concurrent_uploads_are_limited() {
    let registry = Registry::with_config("[limits]\nuploads = 1\nbody_timeout = 3600\n");
    let admin = registry.admin();
    let mut held = begin(&registry, 10);
    let rehearse = || registry.publish(Skill::named("hello")).dry_run().by(&admin);
    let refused = eventually("the first upload has the only place", || {
        if is_answered(&held) {
            held = begin(&registry, 10);
        }
        let response = rehearse();
        (response.status == 503).then_some(response)
    });
    refused.problem(503, "unavailable");
    assert!(refused.require_header("retry-after").parse::<u32>().unwrap() > 0, "{refused}");
    registry.get("/api/v1/skills").expect(200);
    drop(held);
    eventually("there is a place again", || (rehearse().status == 200).then_some(()));
}

#[test]
fn oversized_zip_is_refused_before_its_end() {
    let registry = Registry::with_config(&CONFIG.replace("body_timeout = 5", "body_timeout = 3600"));
    let printed = rest(begin(&registry, 100_001));
    assert!(printed.starts_with("HTTP/1.1 413") && printed.contains("too_large"), "{printed}");
}

#[test]
fn stalled_body_or_header_is_closed() {
    let registry = Registry::with_config(CONFIG);
    let printed = rest(begin(&registry, 10));
    assert!(printed.starts_with("HTTP/1.1 4"), "{printed}");
    let mut connection = TcpStream::connect(registry.base().trim_start_matches("http://")).unwrap();
    connection.write_all(b"GET / HTTP/1.1\r\nX: ").unwrap();
    assert!(!rest(connection).contains("200"));
}

#[test]
fn slow_uploads_of_one_person_leave_places_to_others() {
    let registry =
        Registry::with_config("[limits]\nuploads = 4\nuploads_per_person = 2\nbody_timeout = 3600\n");
    let (admin, other) = (registry.admin(), registry.user("other"));
    let mut held = [begin(&registry, 10), begin(&registry, 10)];
    let rehearse = |by| registry.publish(Skill::named("hello")).dry_run().by(by);
    let refused = eventually("the admin has all of their places", || {
        for held in held.iter_mut().filter(|held| is_answered(held)) {
            *held = begin(&registry, 10);
        }
        let response = rehearse(&admin);
        (response.status == 429).then_some(response)
    });
    refused.problem(429, "rate_limited");
    assert!(refused.require_header("retry-after").parse::<u32>().unwrap() > 0, "{refused}");
    assert_ne!(rehearse(&other).status, 429);
    drop(held);
    eventually("there is a place again", || (rehearse(&admin).status == 200).then_some(()));
}
