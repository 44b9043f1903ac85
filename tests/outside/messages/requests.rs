//! Bodies of requests that are not what an endpoint reads.

use super::Told;
use crate::harness::{Registry, Skill};

/// A request with a JSON body that is refused.
const REQUESTS: [(&str, &str, &str); 15] = [
    ("POST", "/api/v1/namespaces", "{"),
    ("POST", "/api/v1/namespaces", ""),
    ("POST", "/api/v1/namespaces", "[]"),
    ("POST", "/api/v1/namespaces", "{}"),
    ("POST", "/api/v1/namespaces", "{\"slug\":5}"),
    ("POST", "/api/v1/namespaces", "{\"slug\":\"a\",\"slug\":\"b\"}"),
    ("POST", "/api/v1/namespaces", "{\"slug\":\"a\",\"nmae\":\"b\"}"),
    ("POST", "/api/v1/namespaces", "{\"slug\":\"a\"} x"),
    ("POST", "/api/v1/tokens", "{\"name\":\"a\",\"scopes\":\"read\"}"),
    ("POST", "/api/v1/tokens", "{\"name\":\"a\",\"scopes\":[5]}"),
    ("POST", "/api/v1/tokens", "{\"name\":\"a\",\"scopes\":[\"everything\"]}"),
    ("POST", "/api/v1/tokens", "{\"name\":{}}"),
    ("POST", "/api/v1/skills/global/hello/rating", "{\"score\":\"five\"}"),
    ("POST", "/api/v1/skills/global/hello/rating", "{\"score\":4.5}"),
    ("POST", "/api/v1/skills/global/hello/rating", "{\"score\":-1}"),
];

#[test]
fn unusable_body_is_told_in_plain_words() {
    let mut told = Told::default();
    let registry = Registry::start();
    let admin = registry.admin();
    registry.publish(Skill::named("hello")).by(&admin).expect(201);
    let client = registry.as_user(&admin).with("content-type", "application/json");
    for (method, path, body) in REQUESTS {
        let response = client.request(method, path, Some(body.as_bytes().to_vec()));
        assert!((400..500).contains(&response.status), "{method} {path} {body}: {response:?}");
        told.says(&format!("{method} {path} {body}"), &String::from_utf8_lossy(&response.body));
    }
}

#[test]
fn unusable_form_is_told_in_plain_words() {
    let mut told = Told::default();
    let registry = Registry::start();
    let client = registry.as_user(&registry.admin());
    let forms: [(&str, &[u8]); 6] = [
        ("text/plain", b"x"),
        ("multipart/form-data", b"x"),
        ("multipart/form-data; boundary=a", b""),
        ("multipart/form-data; boundary=a", b"--a\r\n\r\nno end"),
        ("multipart/form-data; boundary=a", b"--a\r\nContent-Disposition: x\r\n\r\nx\r\n--a--\r\n"),
        (
            "multipart/form-data; boundary=a",
            b"--a\r\nContent-Disposition: form-data; name=\"file\"; filename=\"x.zip\"\r\n\r\nno zip\r\n--a--\r\n",
        ),
    ];
    for (kind, body) in forms {
        let response =
            client.with("content-type", kind).request("POST", "/api/v1/publish", Some(body.to_vec()));
        assert!((400..500).contains(&response.status), "{kind}: {response:?}");
        let fault = format!("{kind} {}", String::from_utf8_lossy(body));
        told.says(&fault, &String::from_utf8_lossy(&response.body));
    }
}

#[test]
fn unusable_query_is_told_in_plain_words() {
    let mut told = Told::default();
    let registry = Registry::start();
    for path in [
        "/api/v1/skills?page=x",
        "/api/v1/skills?page=-1",
        "/api/v1/skills?sort=nothing",
        "/api/v1/skills/global/hello/versions/x.y",
        "/api/v1/skills/GLOBAL/%00",
        "/api/v1/mirror/pages/x",
    ] {
        let response = registry.get(path);
        assert!((400..500).contains(&response.status), "{path}: {response:?}");
        told.says(path, &String::from_utf8_lossy(&response.body));
    }
}
