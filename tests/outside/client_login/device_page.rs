//! The page on which a person enters the code of a client.

use serde_json::json;

use super::device::{begin, error_of, poll};
use super::{allowed_by, form, post_form};
use crate::harness::{PASSWORD, Registry, Shared};

static RUNNING: Shared<Registry> = Shared::new();

#[test]
fn page_asks_for_the_code_and_takes_none_from_the_address() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let codes = begin(registry, &json!({}));
    let code = codes["user_code"].as_str().unwrap();
    let page = registry.get(&format!("/cli/device?user_code={code}")).expect(200);
    assert!(page.text().contains("Enter the code of your client") && !page.text().contains(code), "{page}");
    let policy = page.require_header("content-security-policy");
    assert!(policy.contains("form-action 'self';") && !policy.contains("script-src"), "{policy}");
}

#[test]
fn consent_names_client_code_scopes_and_expiry() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    let codes = begin(registry, &json!({"label": "<b>laptop</b>", "scope": "read"}));
    let code = codes["user_code"].as_str().unwrap();
    let typed = code.replace('-', " ").to_lowercase();
    let page = post_form(registry, "/cli/device", &[("user_code", &typed)]).expect(200).text();
    for part in ["&lt;b&gt;laptop", code, "127.0.0.1", "see your skills", "Until", "If somebody sent you"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("publish skills") && !page.contains("<b>laptop"), "{page}");
    // Looking decides nothing.
    assert_eq!(error_of(poll(registry, &codes)), "authorization_pending");
}

#[test]
fn unknown_code_asks_again() {
    let registry = Registry::start();
    for code in ["", "BCDF-GHJK", "no code", "0000-0000"] {
        let page = post_form(&registry, "/cli/device", &[("user_code", code)]).expect(404);
        assert!(page.text().contains("No client waits for this code"), "{page}");
    }
    // Guesses are limited, also those that would be right.
    for _ in 0..16 {
        post_form(&registry, "/cli/device", &[("user_code", "BCDF-GHJK")]).expect(404);
    }
    let codes = begin(&registry, &json!({}));
    let page = post_form(&registry, "/cli/device", &[("user_code", codes["user_code"].as_str().unwrap())]);
    assert!(page.clone().expect(429).text().contains("wait a minute"), "{page}");
}

#[test]
fn decision_needs_the_password_and_the_own_page() {
    let running = RUNNING.get(Registry::start);
    let registry: &Registry = &running;
    registry.user_with_password("ann-decides", PASSWORD);
    let codes = begin(registry, &json!({"label": "laptop"}));
    let code = ("user_code", codes["user_code"].as_str().unwrap());
    let fields = [&[code][..], &allowed_by("ann-decides")].concat();
    let foreign = registry.anonymous().with("origin", "https://evil.example");
    form(&foreign, "/cli/device", &fields).expect(403);
    form(&registry.anonymous(), "/cli/device", &fields).expect(403);
    let browser = registry.sign_in("ann-decides", PASSWORD);
    form(&browser.own, "/cli/device", &[code, ("answer", "allow"), ("handle", "ann-decides")]).expect(401);
    let wrong = [code, ("answer", "allow"), ("handle", "ann-decides"), ("password", "not this one")];
    let page = post_form(registry, "/cli/device", &wrong).expect(401).text();
    assert!(page.contains("Wrong handle or password") && page.contains("laptop"), "{page}");
    let done = post_form(registry, "/cli/device", &fields).expect(200).text();
    assert!(done.contains("You are logged in"), "{done}");
    post_form(registry, "/cli/device", &fields).expect(404);
    poll(registry, &codes).expect_json(200);
}

#[test]
fn person_with_too_many_tokens_reads_what_to_do() {
    let registry = Registry::with_config("[limits]\ntokens_per_person = 1\n");
    registry.user_with_password("ann", PASSWORD);
    let codes: Vec<_> = (0..2).map(|_| begin(&registry, &json!({}))).collect();
    let allow = |code: usize| {
        let code = ("user_code", codes[code]["user_code"].as_str().unwrap());
        post_form(&registry, "/cli/device", &[&[code][..], &allowed_by("ann")].concat())
    };
    allow(0).expect(200);
    poll(&registry, &codes[0]).expect_json(200);
    let page = allow(1).expect(409);
    assert!(page.text().contains("revoke some that you do not need"), "{page}");
}
