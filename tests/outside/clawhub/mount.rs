//! Where the dialect is, and how it refuses.

use super::{harness, line_of};
use harness::Registry;
use serde_json::json;

#[test]
fn whoami_with_token_names_its_owner() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let user = registry.as_user(&ann).get("/clawhub/api/v1/whoami").expect_json(200);
    assert_eq!(user, json!({ "user": { "handle": "ann", "displayName": "ann", "role": "user" } }));
}

#[test]
fn invalid_token_is_refused_with_the_remedy() {
    let registry = Registry::start();
    let client = registry.anonymous();
    for client in [client.with("authorization", "Bearer wrong"), client] {
        let line = line_of(&client.get("/clawhub/api/v1/whoami"), 401);
        assert!(line.contains("log in again"), "{line}");
    }
}

#[test]
fn errors_have_no_rate_limit_headers() {
    let registry = Registry::with_config("[limits]\nwrites_per_minute = 1\n");
    let client = registry.anonymous();
    let first = client.request("DELETE", "/clawhub/api/v1/whoami", None);
    line_of(&first, 405);
    assert_eq!(first.header("ratelimit-limit"), None);
    for path in ["/clawhub", "/clawhub/", "/clawhub/api/v1/nothing", "/clawhub/api/v1/whoami/"] {
        line_of(&client.with("accept", "text/html").get(path), 404);
    }
}

#[test]
fn root_address_of_the_dialect_says_which_url_to_set() {
    let registry = Registry::with_config("public_url = \"https://example.org\"\n");
    let client = registry.anonymous();
    for (method, path) in [
        ("POST", "/api/v1/stars/x"),
        ("GET", "/api/v1/skills/x"),
        ("GET", "/api/v1/download?slug=x&version=1.0.0"),
        ("GET", "/api/v1/transfers/incoming"),
    ] {
        let problem = client.request(method, path, None).problem(404, "not_found");
        let detail = problem["detail"].as_str().unwrap();
        assert!(
            detail.contains("https://example.org/clawhub") && detail.contains("CLAWHUB_REGISTRY"),
            "{detail}"
        );
    }
}
