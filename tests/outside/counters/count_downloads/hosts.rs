//! The log of a real nginx.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::Value;

use super::{count, with_skills};
use crate::harness::{Nginx, Registry, Skill, eventually, noise};

/// A format in JSON.
const JSON_FORMAT: &str = r#"log_format skillmirror_json escape=json
    '{"time_iso8601":"$time_iso8601","remote_addr":"$remote_addr","request_method":"$request_method",'
    '"request_uri":"$request_uri","status":$status,"body_bytes_sent":$body_bytes_sent,'
    '"content_range":"$sent_http_content_range"}';"#;

/// The format that the manual shows, and [`JSON_FORMAT`].
fn formats() -> String {
    let manual = include_str!("../../../../docs/running.md");
    let start = manual.find("log_format skillmirror ").expect("the manual shows it");
    let length = manual[start..].find(";\n").expect("it ends");
    format!("{}\n{JSON_FORMAT}", &manual[start..=start + length])
}

/// The versions of `hello` that were counted, by their first number.
fn versions(counted: &Value) -> Vec<u64> {
    let versions = counted["versions"].as_array().unwrap().iter();
    let first = |version: &Value| version["version"].as_str().unwrap().split('.').next().unwrap().parse();
    let mut versions: Vec<u64> = versions.map(|version| first(version).unwrap()).collect();
    versions.sort_unstable();
    versions
}

fn package(version: u32) -> String {
    format!("/api/v1/skills/global/hello/versions/{version}.0.0/download")
}

#[test]
fn downloads_served_by_nginx_are_counted() {
    let mut registry = with_skills();
    registry.restart();
    publish_more(&registry);
    registry.stop();
    let scratch = registry.folder().join("nginx");
    let logs = ["combined", "skillmirror", "skillmirror_json"];
    let nginx = Nginx::over(&registry.public(), &scratch, &formats(), &logs);
    let client = nginx.client();
    client.get(&package(1)).expect(200);
    client.get(&format!("{}.zip", package(2))).expect(200);
    client.get("/api/v1/download/hello/3.0.0").expect(200);
    client.with("range", "bytes=0-9").get(&package(4)).expect(206);
    client.with("range", "bytes=10-").get(&package(5)).expect(206);
    client.head(&package(6)).expect(200);
    let etag = client.head(&package(6)).require_header("etag").to_owned();
    client.with("if-none-match", &etag).get(&package(6)).expect(304);
    client.get(&package(99)).expect(404);
    client.get("/api/v1/skills/global/hello").expect(200);
    hang_up(&nginx, &package(7));
    client.get("/api/v1/download/hello/latest.zip").expect(200);
    eventually("nginx has noticed that a client is gone", || {
        std::fs::read_to_string(scratch.join("combined.log")).ok()?.contains(&package(7)).then_some(())
    });
    nginx.stop();

    let log = |name: &str| scratch.join(format!("{name}.log"));
    let combined = count(&registry, &[&log("combined")]);
    // The combined format does not have the start of a range.
    assert_eq!(versions(&combined), [1, 2, 3, 8], "{combined}");
    assert_eq!((&combined["incomplete"], &combined["unreadable"]), (&3.into(), &0.into()), "{combined}");
    let named = count(&registry, &[&log("skillmirror")]);
    assert_eq!((versions(&named), &named["repeated"]), (vec![4], &4.into()), "{named}");
    let json = count(&registry, &[&log("skillmirror_json")]);
    assert_eq!((versions(&json), &json["repeated"]), (vec![], &5.into()), "{json}");
    assert_eq!((&json["incomplete"], &json["unreadable"]), (&2.into(), &0.into()), "{json}");
}

/// The versions 3 to 8, of which 7 is too large for what systems hold between
/// two programs.
fn publish_more(registry: &Registry) {
    for version in 3..=8 {
        let size = if version == 7 { 9_000_000 } else { 100 };
        let parts = ["a", "b", "c"].into_iter().enumerate();
        let skill = parts.fold(Skill::named("hello"), |skill, (n, name)| {
            skill.file(name, noise(size, 10 * version + n as u64))
        });
        registry.publish(skill).version(&format!("{version}.0.0")).by(&registry.admin()).expect(201);
    }
}

/// Asks for a package, and goes away when it comes.
fn hang_up(nginx: &Nginx, path: &str) {
    let mut stream = TcpStream::connect(nginx.base.trim_start_matches("http://")).unwrap();
    stream.write_all(format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n").as_bytes()).unwrap();
    let mut begun = [0; 1000];
    stream.read_exact(&mut begun).unwrap();
    assert!(begun.starts_with(b"HTTP/1.1 200"));
}
