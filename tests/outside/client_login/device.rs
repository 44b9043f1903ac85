//! The requests of a client that logs in with a code. `registry/src/local/tests/device_logins.rs` tests what
//! depends on the time.

use serde_json::{Value, json};

use super::{allowed_by, form, post_form, with_token};
use crate::harness::{PASSWORD, Registry, Response, Shared, assert_fields};

static RUNNING: Shared<Registry> = Shared::new();

pub(crate) const GRANT: &str = "urn:ietf:params:oauth:grant-type:device_code";

pub(super) fn begin(registry: &Registry, body: &Value) -> Value {
    registry.anonymous().post_json("/api/cli/device/code", body).expect_json(200)
}

pub(super) fn poll(registry: &Registry, codes: &Value) -> Response {
    let body = json!({"device_code": codes["device_code"], "grant_type": GRANT});
    registry.anonymous().post_json("/api/cli/device/token", &body)
}

pub(crate) fn error_of(response: Response) -> String {
    let error = response.expect_json(400);
    assert!(error["error_description"].as_str().is_some_and(|text| text.ends_with('.')), "{error}");
    error["error"].as_str().unwrap().to_owned()
}

fn decide(registry: &Registry, codes: &Value, answer: &[(&str, &str)]) -> Response {
    let code = codes["user_code"].as_str().unwrap();
    post_form(registry, "/cli/device", &[&[("user_code", code)], answer].concat())
}

#[test]
fn client_gets_a_token_when_its_user_has_allowed_it() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-code", PASSWORD);
    let asked = json!({"scope": "read write", "site_url": "https://elsewhere.example", "label": "clawhub on a laptop"});
    let codes = begin(registry, &asked);
    assert_fields(&codes, "device_code user_code verification_uri expires_in interval");
    assert_eq!(codes["verification_uri"], format!("{}/cli/device", registry.base()));
    assert_eq!((&codes["expires_in"], &codes["interval"]), (&json!(600), &json!(2)));
    assert_eq!(codes["device_code"].as_str().unwrap().len(), 52);
    decide(registry, &codes, &allowed_by("ann-code")).expect(200);
    let response = poll(registry, &codes);
    assert_eq!(response.require_header("cache-control"), "no-store");
    let token = response.expect_json(200);
    assert_fields(&token, "access_token token_type scope expires_in");
    assert_eq!((&token["token_type"], &token["expires_in"]), (&json!("Bearer"), &json!(90 * 86_400)));
    assert_eq!(token["scope"], "read publish social manage");
    let me =
        with_token(registry, token["access_token"].as_str().unwrap()).get("/api/v1/auth/me").expect_json(200);
    assert_eq!((&me["handle"], &me["token"]["name"]), (&json!("ann-code"), &json!("clawhub on a laptop")));
    assert_eq!(error_of(poll(registry, &codes)), "invalid_grant", "a code is used once");
}

#[test]
fn client_polls_until_its_user_decides() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let codes = begin(registry, &json!({}));
    assert_eq!(error_of(poll(registry, &codes)), "authorization_pending");
    let again = poll(registry, &codes);
    assert_eq!(again.json()["interval"], 7);
    assert_eq!(error_of(again), "slow_down");

    let codes = begin(registry, &json!({}));
    decide(registry, &codes, &[("answer", "deny")]).expect(200);
    assert_eq!(error_of(poll(registry, &codes)), "access_denied");
    assert_eq!(error_of(poll(registry, &codes)), "invalid_grant");
}

#[test]
fn forms_are_read_like_json() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-form", PASSWORD);
    let anonymous = registry.anonymous();
    let asked = [("client_id", "a printer"), ("scope", "read publish")];
    let codes = form(&anonymous, "/api/cli/device/code", &asked).expect_json(200);
    decide(registry, &codes, &allowed_by("ann-form")).expect(200);
    let polled = [("grant_type", GRANT), ("device_code", codes["device_code"].as_str().unwrap())];
    let token = form(&anonymous, "/api/cli/device/token", &polled).expect_json(200);
    assert_eq!(token["scope"], "read publish");
    let client = with_token(registry, token["access_token"].as_str().unwrap());
    assert_eq!(client.get("/api/v1/auth/me").expect_json(200)["token"]["name"], "a printer");
    client.post_json("/api/v1/namespaces", &json!({"slug": "abc"})).problem(403, "forbidden");
}

#[test]
fn malformed_requests_get_oauth_errors() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let anonymous = registry.anonymous();
    for (path, body, error) in [
        ("code", json!({"scope": "tokens"}), "invalid_scope"),
        ("code", json!({"scope": "read admin"}), "invalid_scope"),
        ("code", json!({"scope": 5}), "invalid_request"),
        ("code", json!({"label": ["a"]}), "invalid_request"),
        ("code", json!({"label": "a".repeat(65)}), "invalid_request"),
        ("code", json!({"label": "a\u{202e}b"}), "invalid_request"),
        ("token", json!({}), "invalid_request"),
        ("token", json!({"grant_type": GRANT}), "invalid_request"),
        ("token", json!({"device_code": "a"}), "invalid_request"),
        ("token", json!({"grant_type": "password", "device_code": "a"}), "unsupported_grant_type"),
        ("token", json!({"grant_type": GRANT, "device_code": "a"}), "invalid_grant"),
        ("token", json!({"grant_type": GRANT, "device_code": {"a": 1}}), "invalid_request"),
    ] {
        assert_eq!(error_of(anonymous.post_json(&format!("/api/cli/device/{path}"), &body)), error, "{body}");
    }
    let text = anonymous.with("content-type", "text/plain");
    text.request("POST", "/api/cli/device/code", Some(b"a".to_vec())).problem(415, "unsupported_media_type");
    let long = json!({"label": "a".repeat(70_000)});
    anonymous.post_json("/api/cli/device/code", &long).problem(413, "too_large");
}

#[test]
fn login_goes_on_after_a_restart() {
    let mut registry = Registry::start();
    registry.user_with_password("ann", PASSWORD);
    let codes = begin(&registry, &json!({}));
    registry.kill();
    registry.restart();
    decide(&registry, &codes, &allowed_by("ann")).expect(200);
    registry.kill();
    registry.restart();
    poll(&registry, &codes).expect(200);
}

#[test]
fn allowed_login_ends_with_the_session_of_its_token() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-changes", PASSWORD);
    let codes = begin(registry, &json!({}));
    decide(registry, &codes, &allowed_by("ann-changes")).expect(200);
    registry.command_with_input(["user", "set-password", "ann-changes"], "another password\n").ok();
    assert_eq!(error_of(poll(registry, &codes)), "access_denied");
    assert_eq!(error_of(poll(registry, &codes)), "invalid_grant");
}
