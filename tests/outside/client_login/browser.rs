//! Logins in a browser on the machine of the client.

use serde_json::json;

use super::{allowed_by, encoded, form, fragment, post_form, with_token};
use crate::harness::{PASSWORD, Registry, Response, Shared};

static RUNNING: Shared<Registry> = Shared::new();

const REDIRECT: &str = "http://127.0.0.1:41234/callback";
/// `laptop`, in base64url.
const LABEL: &str = "bGFwdG9w";
const STATE: &str = "0123456789abcdef0123456789abcdef";

const ASKED: [(&str, &str); 3] = [("redirect_uri", REDIRECT), ("label_b64", LABEL), ("state", STATE)];

fn show(registry: &Registry, redirect: &str, label: &str, state: &str) -> Response {
    let (redirect, state) = (encoded(redirect), encoded(state));
    registry.get(&format!("/cli/auth?redirect_uri={redirect}&label_b64={label}&state={state}"))
}

fn allow(registry: &Registry, handle: &str) -> Response {
    post_form(registry, "/cli/auth", &[&ASKED[..], &allowed_by(handle)].concat())
}

fn token_of(response: &Response) -> String {
    let response = response.clone().expect(303);
    let address = response.require_header("location");
    assert!(address.starts_with(&format!("{REDIRECT}#token=smt_")), "{address}");
    assert_eq!(fragment(address, "state"), Some(STATE));
    fragment(address, "token").unwrap().to_owned()
}

#[test]
fn page_shows_what_a_client_asks_for_and_changes_nothing() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let page = show(registry, REDIRECT, LABEL, STATE).expect(200);
    assert_eq!(page.require_header("content-type"), "text/html; charset=utf-8");
    assert_eq!(page.require_header("cache-control"), "no-store");
    let policy = page.require_header("content-security-policy");
    for part in ["default-src 'none'", "form-action 'self' http://127.0.0.1:41234;", "frame-ancestors 'none'"]
    {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("script-src"), "{policy}");
    let text = page.text();
    for part in
        ["laptop", "http://127.0.0.1:41234", "publish", "manage", REDIRECT, STATE, "type=\"password\""]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(!text.contains("<script"), "{text}");
    assert!(show(registry, REDIRECT, "", STATE).expect(200).text().contains("CLI token"));
}

#[test]
fn allowed_client_gets_a_token_in_the_fragment() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-allows", PASSWORD);
    let response = allow(registry, "ann-allows");
    assert_eq!(response.require_header("cache-control"), "no-store");
    let client = with_token(registry, &token_of(&response));
    let me = client.get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me["handle"], "ann-allows");
    assert_eq!(me["token"]["name"], "laptop");
    assert_eq!(me["token"]["scopes"], json!(["read", "publish", "social", "manage"]));
    let days = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second() / 86_400;
    let created = days(me["token"]["createdAt"].as_str().unwrap());
    assert_eq!(days(me["token"]["expiresAt"].as_str().unwrap()) - created, 90);
    client.post_json("/api/v1/tokens", &json!({"name": "child"})).problem(403, "forbidden");
    // The same client logs in again: the name is taken.
    let again = with_token(registry, &token_of(&allow(registry, "ann-allows")));
    assert_eq!(again.get("/api/v1/auth/me").expect_json(200)["token"]["name"], "laptop 2");
}

#[test]
fn token_outlives_logouts_and_ends_with_the_password() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-later", PASSWORD);
    let browser = registry.sign_in("ann-later", PASSWORD);
    let client = with_token(registry, &token_of(&allow(registry, "ann-later")));
    browser.own.post_json("/api/v1/auth/logout", &json!({})).expect(204);
    client.get("/api/v1/whoami").expect(200);
    let browser = registry.sign_in("ann-later", PASSWORD);
    let change = json!({"password": "another password", "currentPassword": PASSWORD});
    browser.own.put_json("/api/v1/auth/me", &change).expect(200);
    client.get("/api/v1/whoami").problem(401, "unauthenticated");
}

#[test]
fn redirect_to_another_machine_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-lured", PASSWORD);
    for address in [
        "http://evil.example/callback",
        "https://127.0.0.1:41234/callback",
        "http://127.0.0.1:41234@evil.example/",
        "http://localhost.evil.example/",
        "http://127.0.0.1:41234/#x",
        "http://127.0.0.1\\@evil.example/",
        "javascript:alert(1)",
        "//evil.example",
        "",
    ] {
        let page = show(registry, address, LABEL, STATE).expect(400);
        assert!(!page.text().contains("<form class=\"fields\""), "{page}");
        let asked = [("redirect_uri", address), ("label_b64", LABEL), ("state", STATE)];
        let refused = post_form(registry, "/cli/auth", &[&asked[..], &allowed_by("ann-lured")].concat());
        assert_eq!((refused.status, refused.header("location")), (400, None), "{refused}");
    }
    let owned = registry.sign_in("ann-lured", PASSWORD).bare.get("/api/v1/tokens").expect_json(200);
    assert_eq!(owned["total"], 0);
}

#[test]
fn other_redirects_to_this_machine_are_accepted() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    for (address, source) in [
        ("http://localhost:5/a", "http://localhost:5"),
        ("http://[::1]:6/", "http:"),
        ("http://127.0.0.1/", "http://127.0.0.1"),
    ] {
        let page = show(registry, address, LABEL, STATE).expect(200);
        let policy = page.require_header("content-security-policy");
        assert!(policy.contains(&format!("form-action 'self' {source};")), "{policy}");
    }
}

#[test]
fn malformed_request_is_refused_without_a_form() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let long = "a".repeat(513);
    for (label, state) in
        [("!", STATE), ("gICA", STATE), ("YQpi", STATE), (LABEL, ""), (LABEL, "a\nb"), (LABEL, &long)]
    {
        let page = show(registry, REDIRECT, label, state).expect(400);
        assert!(page.text().contains("The login cannot go on"), "{page}");
        assert!(!page.text().contains("<form class=\"fields\""), "{page}");
    }
    let hostile =
        show(registry, REDIRECT, "Ij48c2NyaXB0Pg", "\"><script>alert(1)</script>").expect(200).text();
    assert!(!hostile.contains("<script"), "{hostile}");
}

#[test]
fn wrong_password_shows_the_form_again_and_is_limited() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-typo", PASSWORD);
    let wrong = [("answer", "allow"), ("handle", "ann-typo"), ("password", "not this one")];
    let page = post_form(registry, "/cli/auth", &[&ASKED[..], &wrong].concat()).expect(401);
    let text = page.text();
    assert!(text.contains("Wrong handle or password") && text.contains(STATE), "{text}");
    assert!(text.contains("value=\"ann-typo\"") && !text.contains("not this one"), "{text}");
    for _ in 0..9 {
        post_form(registry, "/cli/auth", &[&ASKED[..], &wrong].concat()).expect(401);
    }
    allow(registry, "ann-typo").expect(429);
}

#[test]
fn login_from_another_page_is_refused() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-crossed", PASSWORD);
    let fields = [&ASKED[..], &allowed_by("ann-crossed")].concat();
    let foreign = ["https://evil.example", "null", "http://127.0.0.1"];
    for client in foreign
        .map(|origin| registry.anonymous().with("origin", origin))
        .iter()
        .chain([&registry.anonymous()])
    {
        let refused = form(client, "/cli/auth", &fields);
        assert_eq!((refused.status, refused.header("location")), (403, None), "{refused}");
    }
    // A session does not stand in for the password.
    let browser = registry.sign_in("ann-crossed", PASSWORD);
    let without = [&ASKED[..], &[("answer", "allow"), ("handle", "ann-crossed")]].concat();
    form(&browser.own, "/cli/auth", &without).expect(401);
}

#[test]
fn cancelled_login_sends_no_token() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    for answer in [&[][..], &[("answer", "deny")], &[("answer", "")]] {
        let refused = post_form(registry, "/cli/auth", &[&ASKED[..], answer].concat()).expect(303);
        let address = refused.require_header("location");
        assert_eq!(address, format!("{REDIRECT}#error=access_denied&state={STATE}"));
    }
}

#[test]
fn person_with_too_many_tokens_reads_what_to_do() {
    let registry = Registry::with_config("[limits]\ntokens_per_person = 1\n[sessions]\nclient_days = 2\n");
    registry.user_with_password("ann", PASSWORD);
    let client = with_token(&registry, &token_of(&allow(&registry, "ann")));
    let page = allow(&registry, "ann").expect(409);
    assert!(page.text().contains("revoke some that you do not need"), "{page}");
    let days = |text: &str| text.parse::<jiff::Timestamp>().unwrap().as_second() / 86_400;
    let token = client.get("/api/v1/auth/me").expect_json(200)["token"].clone();
    assert_eq!(days(token["expiresAt"].as_str().unwrap()) - days(token["createdAt"].as_str().unwrap()), 2);
}
