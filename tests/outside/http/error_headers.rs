//! The CORS and cache headers of errors.

use crate::harness::{Client, Registry, Response, Shared, User};

static RUNNING: Shared<Registry> = Shared::new();

fn is_open(response: &Response) -> bool {
    response.header("access-control-allow-origin") == Some("*")
}

#[test]
fn public_errors_allow_any_origin() {
    let registry = RUNNING.get(Registry::start);
    let anyone = registry.anonymous();
    let tampered = anyone.as_user(&User { handle: "x".into(), token: "smt_forged".into() });
    for path in ["/api/v1/skills", "/api/v1/skills.json", "/api/v1/skills/global/hello"] {
        assert!(is_open(&tampered.get(path).expect(401)), "{path}");
    }
    assert!(is_open(&anyone.request("PATCH", "/api/v1/skills", None).expect(405)));
    assert!(is_open(&anyone.get("/api/v1/skills?page=0").expect(400)));
    assert!(is_open(&anyone.get("/api/v1/skills/global/nothing").expect(404)));
    for (method, path, status) in
        [("GET", "/api/v1/whoami", 401), ("POST", "/api/v1/namespaces", 401), ("GET", "/api/v1/publish", 405)]
    {
        assert!(!is_open(&anyone.request(method, path, None).expect(status)), "{method} {path}");
    }
}

#[test]
fn private_errors_are_not_cached() {
    let registry = RUNNING.get(Registry::start);
    let life = |client: &Client, path: &str| {
        let response = client.get(path).expect(404);
        assert!(is_open(&response), "{path}");
        response.require_header("cache-control").to_owned()
    };
    for path in ["/api/v1/skills/global/nothing", "/api/v1/namespaces/nobody", "/nothing/at/all"] {
        assert_eq!(life(&registry.anonymous(), path), "public, max-age=10", "{path}");
        assert_eq!(life(&registry.as_user(&registry.admin()), path), "no-store", "{path}");
    }
}
