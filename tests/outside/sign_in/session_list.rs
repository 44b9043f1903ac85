//! Where a person is signed in.

use serde_json::json;

use super::*;
use crate::harness::{PASSWORD, assert_fields};

#[test]
fn sessions_are_listed_and_ended() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    registry.user_with_password("bob", PASSWORD);
    let browser = Registry::browser(&registry, {
        let client = registry.anonymous().with("user-agent", "Firefox on a laptop");
        cookie(&client.log_in("bob", PASSWORD).expect(200), "skillmirror_session=").unwrap()
    });
    let other = registry.sign_in("bob", PASSWORD);
    other.own.post_json("/api/v1/tokens", &json!({ "name": "box" })).expect(201);
    let all = browser.own.get("/api/v1/sessions").expect_json(200)["items"].clone();
    let find = |is_current: bool| {
        let found = all.as_array().unwrap().iter().find(|session| session["isCurrent"] == is_current);
        found.unwrap().clone()
    };
    let (own, others) = (find(true), find(false));
    assert_fields(
        &own,
        "id createdAt expiresAt lastUsedAt address browser provider isOfClient isCurrent tokens",
    );
    assert_eq!((&own["browser"], &own["address"]), (&json!("Firefox on a laptop"), &json!("127.0.0.1")));
    assert_eq!(others["tokens"], json!(["box"]));
    // Only one's own.
    let ann = signed_in(&registry, &provider);
    assert_eq!(ann.own.get("/api/v1/sessions").expect_json(200)["items"][0]["provider"], "company");
    let path = format!("/api/v1/sessions/{}", others["id"].as_str().unwrap());
    ann.own.delete(&path).problem(404, "not_found");
    browser.own.delete(&path).expect(204);
    other.own.get("/api/v1/auth/me").expect(401);
    assert_eq!(browser.own.get("/api/v1/tokens").expect_json(200)["total"], 0);
}
