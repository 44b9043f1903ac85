//! Accounts that exist, and are linked by their own sessions.

use serde_json::json;

use super::*;
use crate::harness::PASSWORD;

/// Begins a link of the account of a browser. The client has both cookies.
#[track_caller]
fn begin_link(browser: &Browser) -> OnItsWay {
    let begun = browser.own.post_json("/api/v1/auth/links", &json!({ "provider": "company" })).expect(200);
    let cookie = cookie(&begun, "skillmirror_sign_in=").unwrap();
    let query = query_of(begun.json()["location"].as_str().unwrap());
    assert_eq!((&*query["prompt"], &*query["max_age"]), ("login", "0"));
    OnItsWay { browser: browser.own.with("cookie", &cookie), query, cookie }
}

#[test]
fn account_is_linked_by_its_own_session_alone() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    registry.user_with_password("bob", PASSWORD);
    let bob = registry.sign_in("bob", PASSWORD);
    bob.bare.post_json("/api/v1/auth/links", &json!({ "provider": "company" })).expect(403);
    registry
        .as_user(&registry.admin())
        .post_json("/api/v1/auth/links", &json!({ "provider": "company" }))
        .expect(403);
    let way = begin_link(&bob);
    // Another session of the same browser links nothing.
    let other = registry.sign_in("bob", PASSWORD);
    let begun = begin_link(&bob);
    let switched = OnItsWay { browser: other.own.with("cookie", &begun.cookie), ..begun };
    assert!(switched.come_back(&provider).expect(403).text().contains("has ended: sign in and begin again"));
    way.come_back(&provider).expect(303);
    assert_eq!(me(&signed_in(&registry, &provider))["handle"], "bob");
    let links = bob.own.get("/api/v1/auth/links").expect_json(200)["items"].clone();
    assert_eq!(links[0]["issuer"], provider.issuer());
    // The identity belongs to one account.
    registry.user_with_password("eve", PASSWORD);
    let eve = registry.sign_in("eve", PASSWORD);
    let page = begin_link(&eve).come_back(&provider).expect(409);
    assert!(page.text().contains("linked to another handle"));
    let id = links[0]["id"].as_str().unwrap();
    eve.own.delete(&format!("/api/v1/auth/links/{id}")).problem(404, "not_found");
    bob.own.delete(&format!("/api/v1/auth/links/{id}")).expect(204);
    begin_link(&eve).come_back(&provider).expect(303);
    assert_eq!(me(&signed_in(&registry, &provider))["handle"], "eve");
}

#[test]
fn stale_sign_in_at_the_provider_links_nothing() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    registry.user_with_password("bob", PASSWORD);
    let bob = registry.sign_in("bob", PASSWORD);
    provider.state().claims = json!({ "auth_time": 1 });
    let page = begin_link(&bob).come_back(&provider).expect(401);
    assert!(page.text().contains("did not ask again who you are"));
    assert_eq!(bob.own.get("/api/v1/auth/links").expect_json(200)["total"], 0);
}

#[test]
fn only_way_to_sign_in_stays() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let ann = signed_in(&registry, &provider);
    let links = ann.own.get("/api/v1/auth/links").expect_json(200)["items"].clone();
    let path = format!("/api/v1/auth/links/{}", links[0]["id"].as_str().unwrap());
    let why = ann.own.delete(&path).problem(409, "conflict");
    assert!(why["detail"].as_str().unwrap().contains("your only way to sign in"));
    registry.command_with_input(["user", "set-password", "ann-smith"], &format!("{PASSWORD}\n")).ok();
    let ann = signed_in(&registry, &provider);
    ann.own.delete(&path).expect(204);
}
