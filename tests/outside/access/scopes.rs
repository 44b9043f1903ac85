//! What a token of one scope cannot do by a request that another scope is for.

use serde_json::json;

use crate::harness::{Registry, Skill, User};

fn narrow(registry: &Registry, user: &User, scopes: &str) -> User {
    let token = registry.issue(&user.handle, &["--name", scopes, "--scopes", scopes]);
    registry.wait_until_known(user.with_token(&token))
}

#[test]
fn rename_needs_the_scope_manage() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let change = |by: &User| registry.as_user(by).put_json("/api/v1/auth/me", &json!({"displayName": "Eve"}));
    for scopes in ["read", "publish,social,tokens"] {
        change(&narrow(&registry, &ann, scopes)).problem(403, "forbidden");
    }
    assert_eq!(registry.as_user(&ann).get("/api/v1/whoami").json()["displayName"], "ann");
    change(&narrow(&registry, &ann, "manage")).expect(200);
}

#[test]
fn publish_that_moves_a_tag_needs_the_scope_manage() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    let (publish, both) = (narrow(&registry, &ann, "publish"), narrow(&registry, &ann, "publish,manage"));
    let send = |version: &str, tags: &str, by: &User| {
        let skill = Skill::named("hello").text(&format!("This is {version}.\n"));
        registry.publish(skill).to("team").version(version).tags(tags).by(by)
    };
    send("1.0.0", "stable", &publish).expect(201);
    send("1.0.0", "stable", &publish).expect(200);
    let why = send("2.0.0", "beta,stable", &publish).problem(403, "forbidden");
    let why = why["detail"].as_str().unwrap();
    assert!(why.contains("`stable`") && why.contains("1.0.0") && why.contains("`manage`"), "{why}");
    let skill = "/api/v1/skills/team/hello";
    assert_eq!(registry.read(&format!("{skill}/versions"))["total"], 1);
    send("2.0.0", "beta", &publish).expect(201);
    send("3.0.0", "beta,stable", &both).expect(201);
    let resolved = registry.read(&format!("{skill}/resolve?tag=stable"));
    assert_eq!(resolved["version"], "3.0.0", "{resolved}");
}
