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

#[test]
fn lost_body_of_a_change_is_refused() {
    let registry = Registry::start();
    let ann = registry.user("lost-body");
    for path in ["/api/v1/auth/me", "/api/v1/namespaces/lost-body"] {
        registry.as_user(&ann).request("PUT", path, None).problem(400, "invalid_request");
    }
}

#[test]
fn display_name_that_deceives_is_refused() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    let change =
        |name: &str| registry.as_user(&ann).put_json("/api/v1/auth/me", &json!({"displayName": name}));
    for bad in [
        "Ad\u{200b}min",
        "\u{200b}",
        "\u{202e}nimdA",
        "Admin\u{200d}",
        "\u{2800}",
        "\u{3164}",
        "\u{a0}",
        "Admin\u{a0}",
        "\u{2066}a\u{2069}",
        "\u{feff}Admin",
        "A\u{ad}dmin",
        "\u{2003}",
        "Admin ",
        " Admin",
        "A  B",
        "a\u{e0041}",
        "a\u{fe0f}",
        "a\u{7}b",
        "a\u{2028}b",
        "\u{e000}",
    ] {
        change(bad).problem(400, "invalid_request");
        let team = json!({"slug": "team", "displayName": bad});
        registry.as_user(&ann).post_json("/api/v1/namespaces", &team).problem(400, "invalid_request");
        registry
            .as_user(&ann)
            .post_json("/api/v1/tokens", &json!({"name": bad}))
            .problem(400, "invalid_request");
        assert_eq!(registry.command(["user", "add", "bob", "--name", bad]).code, 1, "{bad:?}");
    }
    for good in ["Ann Lee", "O’Nym", "山田 太郎", "أحمد", "José", "Ann 🙂"] {
        change(good).expect(200);
    }
}

#[test]
fn pages_show_the_handle_beside_the_display_name() {
    let registry = Registry::start();
    let (ann, admin) = (registry.user("ann"), registry.admin());
    registry.as_user(&ann).put_json("/api/v1/auth/me", &json!({"displayName": "Admin"})).expect(200);
    registry.team("team", &ann);
    registry.versions("team/hello", &["1.0.0"], &ann);
    registry.publish(Skill::named("other")).by(&admin).expect(201);
    for page in ["/", "/team/", "/team/hello/"] {
        let page = registry.get(page).expect(200);
        let text = page.text();
        for (at, name) in text.match_indices("<bdi>Admin</bdi>") {
            let after: String = text[at + name.len()..].chars().take(60).collect();
            assert!(after.contains("ann") || after.contains("admin"), "{after}");
        }
        assert!(text.contains("<bdi>Admin</bdi>"), "{text}");
    }
}
