//! Changes of display names.

use serde_json::json;

use crate::harness::{Registry, Skill};

#[test]
fn display_name_change_rewrites_the_documents_that_show_it() {
    let registry = Registry::start();
    let (ann, bob) = (registry.user("ann"), registry.user("bob"));
    registry.team("desk", &ann);
    registry.join("desk", &ann, &bob, "member");
    registry.publish(Skill::named("hello")).version("1.0.0").to("desk").by(&ann).expect(201);
    registry.publish(Skill::named("hello")).version("2.0.0").to("desk").by(&bob).expect(201);
    let before = registry.read("/api/v1/skills/desk/hello");

    let renamed = registry.as_user(&ann).put_json("/api/v1/auth/me", &json!({"displayName": "Ann Lee"}));
    assert!(renamed.require_header("x-revision").parse::<u64>().unwrap() > 0);
    assert_eq!(renamed.expect_json(200)["displayName"], "Ann Lee");
    let person = json!({"handle": "ann", "displayName": "Ann Lee"});
    let skill = registry.tree_json("api/v1/skills/desk/hello.json");
    assert_eq!((&skill["author"], &skill["updatedAt"]), (&person, &before["updatedAt"]));
    let versions = registry.tree_json("api/v1/skills/desk/hello/versions.json");
    assert_eq!(versions["items"][1]["publishedBy"], person);
    assert_eq!(versions["items"][0]["publishedBy"]["displayName"], "bob");
    let version = registry.tree_json("api/v1/skills/desk/hello/versions/1.0.0.json");
    assert_eq!(version["publishedBy"], person);
    assert_eq!(registry.tree_json("api/v1/skills.json")["items"][0]["author"], person);
    registry.command(["verify"]).ok();

    // The same name again and an invalid name change nothing.
    let again = registry.as_user(&ann).put_json("/api/v1/auth/me", &json!({"displayName": "Ann Lee"}));
    assert!(again.expect(200).header("x-revision").is_none());
    for bad in ["", " ", "two\nlines", &"x".repeat(129)] {
        registry
            .as_user(&ann)
            .put_json("/api/v1/auth/me", &json!({"displayName": bad}))
            .problem(400, "invalid_request");
    }
}

#[test]
fn display_name_change_of_unpublished_user_stays_private() {
    let registry = Registry::start();
    let eve = registry.user("eve");
    let before = registry.tree_bytes();
    registry.as_user(&eve).put_json("/api/v1/auth/me", &json!({"displayName": "Unheard Of"})).expect(200);
    assert_eq!(registry.tree_bytes(), before);
    registry.publish(Skill::named("hello")).by(&eve).expect(201);
    let reviews =
        registry.as_user(&registry.admin()).get("/api/v1/namespaces/global/reviews").expect_json(200);
    assert_eq!(reviews["items"][0]["submittedBy"]["displayName"], "Unheard Of");
    // Between handing in and approval the name changes again.
    registry.as_user(&eve).put_json("/api/v1/auth/me", &json!({"displayName": "Eve"})).expect(200);
    let approve =
        format!("/api/v1/namespaces/global/reviews/{}/approve", reviews["items"][0]["id"].as_str().unwrap());
    registry.as_user(&registry.admin()).request("POST", &approve, None).expect(200);
    assert_eq!(registry.tree_json("api/v1/skills/global/hello.json")["author"]["displayName"], "Eve");
}
