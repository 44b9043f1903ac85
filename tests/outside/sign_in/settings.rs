//! Settings of sign-ins: passwords off, lifetimes, secrets, and what is wrong.

use serde_json::json;

use super::*;
use crate::harness::{PASSWORD, eventually};

#[test]
fn passwords_can_be_switched_off() {
    let provider = Provider::start();
    let registry =
        Registry::with_config(&format!("[sign_in]\npasswords = false\n{}", provider.section("company", "")));
    assert_eq!(registry.read("/api/v1/auth/providers")["passwords"], false);
    registry.user_with_password("bob", PASSWORD);
    let why = registry.anonymous().log_in("bob", PASSWORD).problem(403, "forbidden");
    assert!(why["detail"].as_str().unwrap().contains("has no passwords"));
    let page = registry.get("/cli/auth?redirect_uri=http://127.0.0.1:1/&state=a").expect(200).text();
    assert!(page.contains("provider:company") && !page.contains("type=\"password\""), "{page}");
    let ann = signed_in(&registry, &provider);
    ann.own.put_json("/api/v1/auth/me", &json!({ "password": PASSWORD, "currentPassword": "x" })).expect(403);
    let links = ann.own.get("/api/v1/auth/links").expect_json(200)["items"].clone();
    ann.own.delete(&format!("/api/v1/auth/links/{}", links[0]["id"].as_str().unwrap())).expect(409);
}

#[test]
fn client_secret_is_sent_as_the_provider_wants_it() {
    for (methods, is_basic) in [(json!(null), true), (json!(["client_secret_post"]), false)] {
        let provider = Provider::start();
        provider.state().description = json!({ "token_endpoint_auth_methods_supported": methods });
        let mut registry =
            Registry::configured(&provider.section("company", "client_secret_file = \"secret\""));
        registry.write("secret", b"s ecret\n");
        registry.restart();
        signed_in(&registry, &provider);
        assert_eq!(provider.has_had_basic(), is_basic);
    }
}

#[test]
fn session_of_a_provider_ends_by_its_own_setting() {
    let provider = Provider::start();
    let config = format!("[sign_in]\nsession_ttl = 1\n{}", provider.section("company", ""));
    let registry = Registry::with_config(&config);
    let way = sign_in(&registry, &provider).expect(303);
    assert!(way.header_values("set-cookie").contains("Max-Age=1;"));
    let browser = registry.browser(cookie(&way, "skillmirror_session=").unwrap());
    let has_ended = || (browser.own.get("/api/v1/auth/me").status == 401).then_some(());
    eventually("the session has ended", has_ended);
}

#[test]
fn token_of_a_linked_account_waits_for_a_sign_in() {
    let provider = Provider::start();
    let registry =
        Registry::with_config(&format!("[tokens]\nreconfirm = 2\n{}", provider.section("company", "")));
    signed_in(&registry, &provider);
    let token = registry.issue("ann-smith", &["--name", "box"]);
    let ann = registry.anonymous().with("authorization", &format!("Bearer {token}"));
    let admin = registry.as_user(&registry.admin());
    ann.get("/api/v1/whoami").expect(200);
    let refused = || Some(ann.get("/api/v1/whoami")).filter(|answer| answer.status == 401);
    let why = eventually("the token waits", refused).problem(401, "unauthenticated");
    assert!(why["detail"].as_str().unwrap().contains("until its owner signs in again"));
    admin.get("/api/v1/whoami").expect(200);
    signed_in(&registry, &provider);
    ann.get("/api/v1/whoami").expect(200);
}

#[test]
fn wrong_setting_is_named() {
    for (config, said) in [
        ("[sign_in]\npasswords = false", "sign_in.passwords"),
        (
            "[sign_in.providers.a]\nissuer = \"http://login.example\"\nclient_id = \"us\"",
            "sign_in.providers.a.issuer",
        ),
        ("[sign_in.providers.a]\nissuer = \"https://login.example\"", "client_id"),
        (
            "[sign_in.providers.a]\nissuer = \"https://login.example\"\nclient_id = \"us\"\nscopes = [\"profile\"]",
            "sign_in.providers.a.scopes",
        ),
        (
            "[sign_in.providers.a]\nissuer = \"https://login.example\"\nclient_id = \"us\"\nroles = { a = \"team\" }",
            "namespace:role",
        ),
        (
            "[sign_in.providers.a]\nissuer = \"https://login.example\"\nclient_id = \"us\"\nclient_secret_file = \"no\"",
            "sign_in.providers.a.client_secret_file",
        ),
    ] {
        let output = Registry::configured(config).command(["serve", "--listen", "0"]);
        let text = output.stderr;
        assert_ne!(output.code, 0, "{config}");
        assert!(text.contains(said), "{config}: {text}");
    }
}
