//! Where the dialect is, and how it refuses.

use super::{LISTENING, at_root, harness, line_of, root_url};
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
fn second_listener_has_the_dialect_at_its_root() {
    let registry = Registry::with_config(LISTENING);
    let ann = registry.user("ann");
    let client = at_root(&registry);
    let user = client.as_user(&ann).get("/api/v1/whoami").expect_json(200);
    assert_eq!(user["user"]["handle"], "ann");
    for name in ["clawhub", "clawdhub"] {
        let found = client.get(&format!("/.well-known/{name}.json")).expect_json(200);
        assert_eq!(found, json!({ "apiBase": root_url(&registry), "authBase": registry.base() }));
    }
    line_of(&client.get("/api/v1/namespaces"), 404);
    line_of(&client.get("/"), 404);
}

#[test]
fn second_listener_behind_a_proxy_names_its_public_url() {
    let toml = format!("{LISTENING}public_url = \"https://claw.example.org\"\n");
    let registry = Registry::with_config(&format!("public_url = \"https://example.org\"\n{toml}"));
    let found = registry.anonymous().get("/clawhub/.well-known/clawhub.json").expect_json(200);
    assert_eq!(found, json!({ "apiBase": "https://claw.example.org", "authBase": "https://example.org" }));
}

#[test]
fn listener_on_all_addresses_without_url_is_refused() {
    let registry = Registry::configured("[clawhub]\nlisten = \"0.0.0.0:0\"\n");
    let refused = registry.command(["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("clawhub.public_url"), "{}", refused.stderr);
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
