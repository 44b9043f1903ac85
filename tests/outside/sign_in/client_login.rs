//! Logging in a client with a provider instead of a password.

use serde_json::json;

use super::*;
use crate::outside::client_login::form;

/// The way to the provider that a page leads to.
#[track_caller]
fn led(registry: &Registry, page: &Response) -> OnItsWay {
    let refresh = page.require_header("refresh");
    let query = query_of(refresh.split_once("url=").unwrap().1);
    assert_eq!(query["prompt"], "login");
    let cookie = cookie(page, "skillmirror_sign_in=").unwrap();
    OnItsWay { browser: registry.anonymous().with("cookie", &cookie), query, cookie }
}

#[test]
fn client_of_this_machine_gets_its_token() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let back = "http://127.0.0.1:8976/callback";
    let page =
        registry.get(&format!("/cli/auth?redirect_uri={back}&label_b64=bGFwdG9w&state=abc")).expect(200);
    assert!(page.text().contains("provider:company"));
    let own = registry.anonymous().with("origin", registry.base());
    let fields =
        [("redirect_uri", back), ("label_b64", "bGFwdG9w"), ("state", "abc"), ("answer", "provider:company")];
    let way = led(&registry, &form(&own, "/cli/auth", &fields).expect(200));
    let done = way.come_back(&provider).expect(303);
    let location = done.require_header("location");
    let token = location.split_once("#token=").unwrap().1.split('&').next().unwrap();
    assert!(location.starts_with(back) && location.ends_with("&state=abc"), "{location}");
    assert!(cookie(&done, "skillmirror_session").is_none(), "the browser has no session of it");
    let client = registry.anonymous().with("authorization", &format!("Bearer {token}"));
    assert_eq!(client.get("/api/v1/whoami").expect_json(200)["handle"], "ann-smith");
    // A stale sign-in there makes no token.
    provider.state().claims = json!({ "auth_time": 1 });
    let way = led(&registry, &form(&own, "/cli/auth", &fields).expect(200));
    way.come_back(&provider).expect(401);
}

#[test]
fn client_with_a_code_gets_its_token() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let codes =
        registry.anonymous().post_json("/api/cli/device/code", &json!({ "label": "box" })).expect_json(200);
    let own = registry.anonymous().with("origin", registry.base());
    let fields = [("user_code", codes["user_code"].as_str().unwrap()), ("answer", "provider:company")];
    let way = led(&registry, &form(&own, "/cli/device", &fields).expect(200));
    assert!(way.come_back(&provider).expect(200).text().contains("You are logged in"));
    let poll = json!({
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "device_code": codes["device_code"],
    });
    let token = registry.anonymous().post_json("/api/cli/device/token", &poll).expect_json(200);
    let token = format!("Bearer {}", token["access_token"].as_str().unwrap());
    let client = registry.anonymous().with("authorization", &token);
    assert_eq!(client.get("/api/v1/whoami").expect_json(200)["handle"], "ann-smith");
}
