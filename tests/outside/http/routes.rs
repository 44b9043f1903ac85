//! Answers to requests without a credential: for a choice of routes, for other methods, and for
//! unknown paths. `access/rights` tries every route.

use crate::harness::{Registry, Shared};

static RUNNING: Shared<Registry> = Shared::new();

/// Method, path, and the status without a credential.
const ROWS: &[(&str, &str, u16)] = &[
    ("GET", "/healthz", 200),
    ("GET", "/readyz", 200),
    ("GET", "/.well-known/registry.json", 200),
    ("GET", "/api/v1/openapi.json", 200),
    ("GET", "/api/v1/skills", 200),
    ("GET", "/api/v1/namespaces", 200),
    ("GET", "/api/v1/namespaces/global", 200),
    ("POST", "/api/v1/namespaces", 401),
    ("PUT", "/api/v1/namespaces/global", 401),
    ("GET", "/api/v1/namespaces/global/members", 401),
    ("POST", "/api/v1/namespaces/global/members", 401),
    ("PUT", "/api/v1/namespaces/global/members/ann/role", 401),
    ("DELETE", "/api/v1/namespaces/global/members/ann", 401),
    ("GET", "/api/v1/whoami", 401),
    ("GET", "/api/v1/auth/me", 401),
    ("PUT", "/api/v1/auth/me", 401),
    ("POST", "/api/v1/auth/login", 400),
    ("POST", "/api/v1/auth/logout", 401),
    ("POST", "/api/v1/publish", 401),
    ("POST", "/api/v1/tokens", 401),
    ("GET", "/api/v1/tokens", 401),
    ("DELETE", "/api/v1/tokens/1", 401),
];

#[test]
fn every_route_answers() {
    let registry = RUNNING.get(Registry::start);
    for (method, path, status) in ROWS {
        let response = registry.anonymous().request(method, path, None);
        assert_eq!(response.status, *status, "{response}");
        if *status == 401 {
            response.problem(401, "unauthenticated");
            assert!(response.require_header("www-authenticate").starts_with("Bearer"), "{response}");
        }
    }
}

#[test]
fn wrong_method_is_405_with_allow() {
    let registry = RUNNING.get(Registry::start);
    for path in ROWS.iter().map(|(_, path, _)| path) {
        let response = registry.anonymous().request("PATCH", path, None);
        response.problem(405, "method_not_allowed");
        let allowed: Vec<&str> = response.require_header("allow").split(',').map(str::trim).collect();
        for (method, ..) in ROWS.iter().filter(|(_, other, _)| other == path) {
            assert!(allowed.contains(method), "{response}: {allowed:?} leaves {method} out");
        }
        assert!(!allowed.contains(&"PATCH"), "{response}: {allowed:?}");
    }
}

#[test]
fn unknown_path_is_a_problem() {
    let registry = RUNNING.get(Registry::start);
    let unknown = [
        "/api",
        "/api/v1",
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v2/skills",
        "/api/v1/skills/x",
        "/api/v1/skills/x/",
        "/api/v1/skills/",
        "/api/v1/namespaces/",
        "/api/v1/namespaces/global/",
        "/api/v1/namespaces/nobody",
        "/api/v1/publish/more",
        "/api/v1/whoami/",
        "/.well-known/nothing.json",
        "/healthz/",
        "/../Cargo.toml",
        "/api/v1/skills/..%2f..%2fconfig/x",
        "/api/v1/%ff",
        "/nothing",
    ];
    for path in unknown {
        registry.get(path).problem(404, "not_found");
    }
}

#[test]
fn unknown_method_on_unknown_path_is_404() {
    let registry = RUNNING.get(Registry::start);
    for method in ["POST", "PUT", "DELETE", "PATCH"] {
        registry.anonymous().request(method, "/api/v1/nothing", None).problem(404, "not_found");
    }
}

#[test]
fn every_response_has_a_request_id_and_nosniff() {
    let registry = RUNNING.get(Registry::start);
    let mut ids = std::collections::BTreeSet::new();
    for path in
        ["/healthz", "/api/v1/skills", "/api/v1/nothing", "/api/v1/whoami", "/.well-known/registry.json"]
    {
        let response = registry.get(path);
        assert_eq!(response.require_header("x-content-type-options"), "nosniff", "{response}");
        assert!(ids.insert(response.require_header("x-request-id").to_owned()), "an id is given once");
    }
}

#[test]
fn public_reads_allow_any_origin_without_credentials() {
    let registry = RUNNING.get(Registry::start);
    let browser = registry.anonymous().with("origin", "https://elsewhere.example");
    let response = browser.get("/api/v1/skills").expect(200);
    assert_eq!(response.require_header("access-control-allow-origin"), "*");
    assert_eq!(response.header("access-control-allow-credentials"), None);
    let private = browser.as_user(&registry.admin()).get("/api/v1/whoami").expect(200);
    assert_eq!(private.header("access-control-allow-credentials"), None);
    assert!(private.require_header("cache-control").contains("no-store"), "{private}");
}

#[test]
fn malformed_json_body_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let admin = registry.as_user(&registry.admin());
    let json = admin.with("content-type", "application/json");
    for body in
        ["", "{", "[]", "null", "\"x\"", "{}", "{\"slug\":5}", "{\"slug\":\"abc\",\"colour\":\"red\"}"]
    {
        json.request("POST", "/api/v1/namespaces", Some(body.into())).problem(400, "invalid_request");
    }
    let text = admin.with("content-type", "text/plain");
    let response = text.request("POST", "/api/v1/namespaces", Some(b"{\"slug\":\"abc\"}".to_vec()));
    response.problem(415, "unsupported_media_type");
    registry.get("/api/v1/namespaces/abc").problem(404, "not_found");
}
