//! Providers that lie, fail or are away, and browsers that are led. Nothing is left behind.

use ed25519_dalek::{Signer, SigningKey};
use serde_json::json;

use super::*;
use crate::harness::Reply;
use provider::{hmac, key, token};

/// Asserts that a sign-in is refused with a sentence, and that there is neither a session nor an account.
#[track_caller]
fn refused(registry: &Registry, response: &Response, status: u16, sentence: &str) {
    let page = response.text();
    assert_eq!(response.status, status, "{page}");
    assert!(page.contains(sentence), "{sentence}: {page}");
    assert!(cookie(response, "skillmirror_session").is_none());
    let users = registry.as_user(&registry.admin()).get("/api/v1/users").expect_json(200);
    assert_eq!(users["total"], 1, "{users}");
}

fn none(_: &SigningKey, claims: &Value) -> String {
    token(&json!({ "alg": "none" }), claims, |_| Vec::new())
}

fn hs256(key: &SigningKey, claims: &Value) -> String {
    let public = key.verifying_key();
    token(&json!({ "alg": "HS256", "kid": "key-7" }), claims, |text| hmac(public.as_bytes(), text))
}

fn foreign(_: &SigningKey, claims: &Value) -> String {
    token(&json!({ "alg": "EdDSA", "kid": "key-7" }), claims, |text| key(8).0.sign(text).to_vec())
}

#[test]
fn lying_token_is_refused() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    for (claims, sentence) in [
        (json!({ "nonce": "another" }), "belongs to another sign-in"),
        (json!({ "nonce": null }), "belongs to another sign-in"),
        (json!({ "aud": "them" }), "another audience"),
        (json!({ "aud": ["us", "them"] }), "another audience"),
        (json!({ "iss": "https://evil.example" }), "another issuer"),
        (json!({ "exp": 1 }), "has expired"),
        (json!({ "iat": 4_000_000_000_u32 }), "not valid yet"),
        (json!({ "sub": "" }), "no valid claim `sub`"),
        (json!({ "sub": null }), "lacks claims"),
        (json!({ "at_hash": "AAAA" }), "no valid claim `at_hash`"),
    ] {
        provider.state().claims = claims;
        refused(&registry, &sign_in(&registry, &provider), 401, sentence);
    }
    provider.state().claims = json!({});
    for forge in [none, hs256] {
        provider.state().forge = Some(forge);
        refused(&registry, &sign_in(&registry, &provider), 401, "not signed with an allowed algorithm");
    }
    provider.state().forge = Some(foreign);
    refused(&registry, &sign_in(&registry, &provider), 401, "signature of the token is wrong");
    provider.state().forge = None;
    assert_eq!(me(&signed_in(&registry, &provider))["handle"], "ann-smith");
}

#[test]
fn answer_is_taken_once_and_in_its_own_browser() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let (way, other) =
        (begin(&registry, "/api/v1/auth/sign-in/company"), begin(&registry, "/api/v1/auth/sign-in/company"));
    let (state, code) = (&way.query["state"], provider.code(&way.query));
    let path = format!("/api/v1/auth/callback/company?state={state}&code={code}");
    refused(&registry, &registry.get(&path), 403, "did not begin in this browser");
    refused(&registry, &other.browser.get(&path), 403, "began in another browser");
    // The attempt has ended it.
    refused(&registry, &way.browser.get(&path), 403, "has ended");
    refused(&registry, &way.browser.get("/api/v1/auth/callback/company?code=x"), 403, "has ended");
    // The code of another sign-in does not fit the verifier of this one.
    let code = provider.code(&other.query);
    let way = begin(&registry, "/api/v1/auth/sign-in/company");
    let path = format!("/api/v1/auth/callback/company?state={}&code={code}", way.query["state"]);
    refused(&registry, &way.browser.get(&path), 401, "begin again");
    let way = begin(&registry, "/api/v1/auth/sign-in/company");
    way.come_back(&provider).expect(303);
    let path = format!("/api/v1/auth/callback/company?state={}&code=code-1", way.query["state"]);
    let page = way.browser.get(&path).expect(403);
    assert!(page.text().contains("has ended"), "a state counts once");
}

#[test]
fn refusal_of_the_provider_is_told() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "title = \"The company\"");
    let way = begin(&registry, "/api/v1/auth/sign-in/company");
    let path = format!("/api/v1/auth/callback/company?error=access_denied&state={}", way.query["state"]);
    refused(&registry, &way.browser.get(&path), 403, "The company did not sign you in (access_denied)");
}

#[test]
fn mixed_up_providers_are_refused() {
    let (honest, evil) = (Provider::start(), Provider::start());
    honest.state().description = json!({ "authorization_response_iss_parameter_supported": true });
    let registry = Registry::with_config(&(honest.section("company", "") + &evil.section("evil", "")));
    let way = begin(&registry, "/api/v1/auth/sign-in/company");
    let (state, code) = (&way.query["state"], honest.code(&way.query));
    let path = format!("/api/v1/auth/callback/evil?state={state}&code={code}");
    refused(&registry, &way.browser.get(&path), 403, "not from the provider that was asked");
    assert!(!evil.asked().contains(&"POST /token".to_owned()), "the code of one never goes to the other");
    for (iss, status) in [("", 401), ("https://evil.example", 401), (honest.issuer(), 303)] {
        let way = begin(&registry, "/api/v1/auth/sign-in/company");
        let (state, code) = (&way.query["state"], honest.code(&way.query));
        let answer =
            way.browser.get(&format!("/api/v1/auth/callback/company?state={state}&code={code}&iss={iss}"));
        match status {
            303 => drop(answer.expect(303)),
            status => refused(&registry, &answer, status, "is not from"),
        }
    }
}

#[test]
fn provider_that_fails_is_named() {
    let whole = Reply::json(&json!({ "keys": "x".repeat(2 << 20) }));
    for (path, reply, sentence) in [
        ("/.well-known/openid-configuration", Reply::status(500), "cannot be reached"),
        ("/.well-known/openid-configuration", Reply::page(), "other JSON than expected"),
        ("/.well-known/openid-configuration", Reply::redirect(302, "/keys"), "302"),
        (
            "/.well-known/openid-configuration",
            Reply::json(&json!({ "issuer": "https://evil.example", "jwks_uri": "https://evil.example" })),
            "another issuer",
        ),
        ("/keys", whole, "too long"),
        ("/keys", Reply::bytes("x").announcing(10), "cannot be reached"),
        ("/token", Reply::status(503), "cannot be reached"),
        ("/token", Reply::json(&json!({})), "other JSON than expected"),
    ] {
        let provider = Provider::start();
        let registry = registry_with(&provider, "");
        provider.state().instead = Some((path, reply));
        let response = match path {
            "/keys" | "/token" => sign_in(&registry, &provider),
            _ => registry.get("/api/v1/auth/sign-in/company"),
        };
        refused(&registry, &response, 503, sentence);
    }
}

#[test]
fn provider_that_is_away_stops_neither_the_start_nor_passwords() {
    let config = "[sign_in.providers.company]\nissuer = \"http://127.0.0.1:1\"\nclient_id = \"us\"\n";
    let registry = Registry::with_config(config);
    refused(&registry, &registry.get("/api/v1/auth/sign-in/company"), 503, "cannot be reached");
    refused(&registry, &registry.get("/api/v1/auth/sign-in/nobody"), 404, "no such provider");
    registry.user_with_password("ann", crate::harness::PASSWORD);
    registry.sign_in("ann", crate::harness::PASSWORD);
}

#[test]
fn new_key_of_the_provider_is_accepted_after_a_minute_at_the_latest() {
    let provider = Provider::start();
    let mut registry = registry_with(&provider, "");
    signed_in(&registry, &provider);
    provider.state().key = key(9);
    // The keys were read a moment ago.
    let page = sign_in(&registry, &provider).expect(401);
    assert!(page.text().contains("a key that"), "{page}");
    // A start reads them again.
    registry.stop();
    registry.restart();
    signed_in(&registry, &provider);
}
