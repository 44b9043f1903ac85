//! The first sign-in makes an account, and later ones find it.

use serde_json::json;

use super::*;
use crate::outside::client_login::form;

#[test]
fn first_sign_in_makes_an_account_and_the_next_finds_it() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "title = \"The company\"");
    let ways = registry.read("/api/v1/auth/providers");
    let named = json!([{ "name": "company", "title": "The company" }]);
    assert_eq!(ways, json!({ "passwords": true, "providers": named }));
    let ann = me(&signed_in(&registry, &provider));
    assert_eq!((&ann["handle"], &ann["displayName"]), (&json!("ann-smith"), &json!("Ann Smith")));
    // Another name there is the same person.
    provider.state().claims = json!({ "preferred_username": "ann.jones", "name": "Ann Jones" });
    assert_eq!(me(&signed_in(&registry, &provider))["handle"], "ann-smith");
    provider.state().claims = json!({ "sub": "2", "preferred_username": "bob@example.org", "name": null });
    let bob = me(&signed_in(&registry, &provider));
    assert_eq!((&bob["handle"], &bob["displayName"]), (&json!("bob"), &json!("bob")));
}

#[test]
fn account_survives_the_loss_of_local_data() {
    let provider = Provider::start();
    let mut registry = registry_with(&provider, "");
    signed_in(&registry, &provider);
    registry.stop();
    for file in ["local.sqlite", "local.sqlite-wal", "local.sqlite-shm"] {
        let _ = std::fs::remove_file(registry.data().join(file));
    }
    registry.restart();
    assert_eq!(me(&signed_in(&registry, &provider))["handle"], "ann-smith");
}

#[test]
fn taken_handle_is_asked_for() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    registry.user("ann-smith");
    let mut way = begin(&registry, "/api/v1/auth/sign-in/company?to=team/%3Fa=b");
    let mut page = way.come_back(&provider).expect(200).text();
    let secret = |page: &str| page.split("name=\"sign_in\" value=\"").nth(1).unwrap()[..52].to_owned();
    let own = way.browser.with("origin", registry.base());
    for (handle, why) in [("", "must not be empty"), ("admin", "is taken"), ("Ann!", "handle")] {
        assert!(page.contains("is taken") || page.contains("role=\"alert\""), "{page}");
        let fields = [("sign_in", &*secret(&page)), ("handle", handle)];
        // Another browser must not go on.
        form(&registry.anonymous().with("origin", registry.base()), "/api/v1/auth/handle", &fields)
            .expect(403);
        way.browser = own.clone();
        page = form(&own, "/api/v1/auth/handle", &fields).expect(200).text();
        assert!(handle.is_empty() || page.contains(why), "{handle}: {page}");
    }
    let fields = [("sign_in", &*secret(&page)), ("handle", "ann")];
    form(&way.browser.with("origin", "https://evil.example"), "/api/v1/auth/handle", &fields).expect(403);
    let done = form(&own, "/api/v1/auth/handle", &fields).expect(303);
    assert_eq!(done.require_header("location"), format!("{}/team/?a=b", registry.base()));
    let browser = registry.browser(cookie(&done, "skillmirror_session=").unwrap());
    assert_eq!(me(&browser)["handle"], "ann");
    form(&own, "/api/v1/auth/handle", &fields).expect(403);
}

#[test]
fn return_address_is_always_a_page_of_the_registry() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    for to in
        ["//evil.example", "https://evil.example", "%5C%5Cevil.example", "@evil.example", "me/%0d%0aA:b", ""]
    {
        let done = begin(&registry, &format!("/api/v1/auth/sign-in/company?to={to}")).come_back(&provider);
        let location = done.expect(303).require_header("location").to_owned();
        assert!(location.starts_with(&format!("{}/", registry.base())), "{location}");
    }
}

#[test]
fn disabled_account_stays_out() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let browser = signed_in(&registry, &provider);
    registry.as_user(&registry.admin()).post_json("/api/v1/users/ann-smith/disable", &json!({})).expect(204);
    browser.own.get("/api/v1/auth/me").expect(401);
    let refused = sign_in(&registry, &provider).expect(403);
    assert!(
        refused.text().contains("This account is disabled")
            && cookie(&refused, "skillmirror_session").is_none()
    );
}

#[test]
fn sign_out_leads_to_the_provider() {
    let provider = Provider::start();
    let registry = registry_with(&provider, "");
    let browser = signed_in(&registry, &provider);
    let done = browser.own.post_json("/api/v1/auth/logout", &json!({})).expect_json(200);
    let address = done["signOutAt"].as_str().unwrap();
    assert!(
        address.starts_with(&format!("{}/end?a=b&client_id=us&post_logout_redirect_uri=", provider.issuer()))
    );
    browser.own.get("/api/v1/auth/me").expect(401);
    // Without such a page, and for sessions with a password, there is nowhere to go.
    registry.user_with_password("bob", crate::harness::PASSWORD);
    let bob = registry.sign_in("bob", crate::harness::PASSWORD);
    bob.own.post_json("/api/v1/auth/logout", &json!({})).expect(204);
}
