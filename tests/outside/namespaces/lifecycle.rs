//! Creating, changing, freezing and archiving namespaces.

use serde_json::json;

use crate::harness::{Registry, Shared, Skill, assert_fields};

static RUNNING: Shared<Registry> = Shared::new();

const NAMESPACE: &str =
    "slug displayName description type status reviewRequired skillCount createdAt updatedAt";

#[test]
fn namespace_is_created_by_any_user_and_public_at_once() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-makes");
    let body =
        json!({"slug": "made", "displayName": "Made Here", "description": "Things.", "reviewRequired": true});
    let response = registry.as_user(&ann).post_json("/api/v1/namespaces", &body);
    assert!(response.require_header("x-revision").parse::<u64>().unwrap() > 0);
    let made = response.expect_json(201);
    assert_fields(&made, NAMESPACE);
    assert_eq!(made["displayName"], "Made Here");
    assert_eq!((&made["type"], &made["status"]), (&json!("team"), &json!("active")));
    assert_eq!((&made["reviewRequired"], &made["skillCount"]), (&json!(true), &json!(0)));
    assert_eq!(registry.read("/api/v1/namespaces/made"), made, "the reply waits for the tree");

    let me = registry.as_user(&ann).get("/api/v1/auth/me").expect_json(200);
    assert_eq!(me["namespaces"], json!([{"slug": "made", "role": "owner"}]));
}

#[test]
fn namespace_needs_only_a_slug() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-short");
    let made = registry.team("short", &ann);
    assert_eq!((&made["reviewRequired"], &made["description"]), (&json!(false), &json!("")));
    assert!(!made["displayName"].as_str().unwrap().is_empty(), "{made}");
}

#[test]
fn global_is_built_in() {
    let registry = RUNNING.get(Registry::start);
    let global = registry.read("/api/v1/namespaces/global");
    assert_fields(&global, NAMESPACE);
    assert_eq!((&global["type"], &global["status"]), (&json!("global"), &json!("active")));
}

#[test]
fn taken_or_reserved_name_is_refused() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-names");
    registry.team("taken", &ann);
    let make = |slug: &str| registry.as_user(&ann).post_json("/api/v1/namespaces", &json!({"slug": slug}));
    make("taken").problem(409, "conflict");
    make("global").problem(409, "conflict");
    let bad = ["", "Upper", "a--b", "-a", "a-", "a.b", "a b", "con", "lpt1", "api", "skills", "u"];
    for slug in bad {
        let response = make(slug);
        let problem = response.problem(400, "invalid_request");
        assert!(problem["detail"].as_str().unwrap().len() > 10, "{response}");
    }
    make(&"a".repeat(65)).problem(400, "invalid_request");
    make(&"a".repeat(64)).expect(201);
}

#[test]
fn absent_fields_stay_unchanged() {
    let registry = RUNNING.get(Registry::start);
    let ann = registry.user("ann-puts");
    registry.team("puts", &ann);
    let put = |body| registry.as_user(&ann).put_json("/api/v1/namespaces/puts", &body);
    put(json!({"displayName": "Puts", "description": "Old."})).expect(200);
    let changed = put(json!({"description": "New."})).expect_json(200);
    assert_eq!((&changed["displayName"], &changed["description"]), (&json!("Puts"), &json!("New.")));
    assert_eq!(put(json!({"reviewRequired": true})).expect_json(200)["reviewRequired"], true);
    assert_eq!(registry.read("/api/v1/namespaces/puts")["description"], "New.");
    put(json!({"description": "New.", "status": "active"})).unchanged();
    put(json!({})).unchanged();
    put(json!({"slug": "other"})).problem(400, "invalid_request");
    put(json!({"status": "asleep"})).problem(400, "invalid_request");
}

#[test]
fn namespace_is_changed_by_its_admins_only() {
    let registry = RUNNING.get(Registry::start);
    let [ann, bob, eve, out] =
        ["ann-may", "bob-may", "eve-may", "out-may"].map(|handle| registry.user(handle));
    registry.team("rights", &ann);
    registry.join("rights", &ann, &bob, "admin");
    registry.join("rights", &ann, &eve, "member");
    let put = |user, body| registry.as_user(user).put_json("/api/v1/namespaces/rights", &body);
    put(&bob, json!({"description": "By an admin."})).expect(200);
    put(&bob, json!({"status": "frozen"})).problem(403, "forbidden");
    put(&eve, json!({"description": "By a member."})).problem(403, "forbidden");
    put(&out, json!({"description": "By a stranger."})).problem(403, "forbidden");
    put(&ann, json!({"status": "frozen"})).expect(200);
    put(&ann, json!({"status": "active"})).expect(200);
    put(&registry.admin(), json!({"description": "By the platform."})).expect(200);
    registry.as_user(&ann).put_json("/api/v1/namespaces/nobody", &json!({})).problem(404, "not_found");
}

#[test]
fn frozen_namespace_refuses_publishes_until_it_is_active() {
    let registry = RUNNING.get(Registry::start);
    let (ann, bob) = (registry.user("ann-ice"), registry.user("bob-ice"));
    registry.team("ice", &ann);
    registry.publish(Skill::named("hello")).to("ice").by(&ann).expect(201);
    let status =
        |status| registry.as_user(&ann).put_json("/api/v1/namespaces/ice", &json!({"status": status}));
    assert_eq!(status("frozen").expect_json(200)["status"], "frozen");

    registry.publish(Skill::named("other")).to("ice").by(&ann).problem(409, "conflict");
    let body = json!({"userId": bob.handle, "role": "member"});
    registry.as_user(&ann).post_json("/api/v1/namespaces/ice/members", &body).problem(409, "conflict");
    registry.get("/api/v1/skills/ice/hello").expect(200);
    registry.get("/api/v1/skills/ice/hello/download").expect(200);

    status("active").expect(200);
    registry.publish(Skill::named("other")).to("ice").by(&ann).expect(201);
}

#[test]
fn archived_namespace_is_not_listed() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("attic", &ann);
    registry.publish(Skill::named("hello")).to("attic").by(&ann).expect(201);
    registry.as_user(&ann).put_json("/api/v1/namespaces/attic", &json!({"status": "archived"})).expect(200);
    for list in ["/api/v1/namespaces", "/api/v1/skills"] {
        assert!(!registry.read(list).to_string().contains("attic"), "{list}");
    }
    assert_eq!(registry.read("/api/v1/namespaces/attic")["status"], "archived");
    registry.get("/api/v1/skills/attic/hello/download").expect(200);
    registry.publish(Skill::named("other")).to("attic").by(&ann).problem(409, "conflict");
    registry.as_user(&ann).put_json("/api/v1/namespaces/attic", &json!({"status": "active"})).expect(200);
    assert!(registry.read("/api/v1/namespaces").to_string().contains("attic"));
}

#[test]
fn namespace_creation_can_be_limited_to_admins() {
    let registry = Registry::with_config("[namespaces]\ncreation = \"admins\"\n");
    let ann = registry.user("ann");
    let make = |user| registry.as_user(user).post_json("/api/v1/namespaces", &json!({"slug": "mine"}));
    make(&ann).problem(403, "forbidden");
    make(&registry.admin()).expect(201);
}

#[test]
fn global_always_requires_review() {
    let registry = Registry::start();
    let admin = registry.as_user(&registry.admin());
    let refused = admin.put_json("/api/v1/namespaces/global", &json!({"reviewRequired": false}));
    refused.problem(409, "conflict");
    let renamed =
        admin.put_json("/api/v1/namespaces/global", &json!({"displayName": "All"})).expect_json(200);
    assert_eq!((renamed["displayName"].as_str(), &renamed["reviewRequired"]), (Some("All"), &json!(true)));
}
