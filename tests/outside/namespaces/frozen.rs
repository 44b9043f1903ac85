//! Frozen and archived namespaces.

use serde_json::{Value, json};

use crate::harness::{Registry, Skill, eventually, skill_path};

#[test]
fn frozen_namespace_refuses_writes_until_it_is_active_again() {
    let registry = Registry::start();
    let (ann, bob, eve) = (registry.user("ann"), registry.user("bob"), registry.user("eve"));
    registry.reviewing_team("team", &ann);
    registry.join("team", &ann, &bob, "member");
    registry.versions("team/hello", &["1.0.0", "1.1.0"], &ann);
    registry.versions("team/gone", &["1.0.0"], &ann);
    registry.remove("team/gone", &ann).expect(204);
    registry.tag("team/hello", "beta", "1.0.0", &ann).expect(201);
    registry.yank("team/hello", "1.0.0", &ann).expect(200);
    let waiting = registry.submit("team/waiting", "1.0.0", &bob);
    let other = registry.submit("team/other", "1.0.0", &bob);
    let id = registry.read(&skill_path("team/hello"))["id"].as_str().unwrap().to_owned();
    let by_ann = registry.as_user(&ann);
    let status =
        |status: &str| by_ann.put_json("/api/v1/namespaces/team", &json!({"status": status})).expect(200);
    let (namespace, hello) = ("/api/v1/namespaces/team", skill_path("team/hello"));
    let stopped: Vec<(&str, String, Value)> = vec![
        ("PUT", format!("{hello}/tags/new"), json!({"version": "1.1.0"})),
        ("DELETE", format!("{hello}/tags/beta"), json!({})),
        ("POST", format!("{hello}/versions/1.1.0/yank"), json!({})),
        ("DELETE", format!("{hello}/versions/1.0.0/yank"), json!({})),
        ("DELETE", hello.clone(), json!({})),
        ("POST", format!("{}/restore", skill_path("team/gone")), json!({})),
        ("POST", format!("{hello}/transfer"), json!({"to": "bob"})),
        ("POST", format!("{namespace}/members"), json!({"userId": "eve", "role": "member"})),
        ("POST", format!("{namespace}/invitations"), json!({"userId": "eve"})),
        ("PUT", format!("{namespace}/members/bob/role"), json!({"role": "admin"})),
        ("DELETE", format!("{namespace}/members/bob"), json!({})),
        ("POST", format!("{namespace}/skills/{id}/promote"), json!({})),
        ("POST", format!("{namespace}/reviews/{}/approve", waiting["reviewId"].as_str().unwrap()), json!({})),
    ];
    for state in ["frozen", "archived"] {
        status(state);
        // It waits until all of the tree shows the rating of the state before.
        registry.command(["verify"]).ok();
        let tree = registry.tree_bytes();
        for (method, path, body) in &stopped {
            for user in [&ann, &registry.admin()] {
                let client = registry.as_user(user).with("content-type", "application/json");
                let response = client.request(method, path, Some(body.to_string().into_bytes()));
                let problem = response.problem(409, "conflict");
                assert!(problem["detail"].as_str().unwrap().contains(state), "{response}");
            }
        }
        registry.publish(Skill::named("new")).to("team").by(&ann).problem(409, "conflict");
        registry.publish(Skill::named("new")).to("team").by(&bob).problem(409, "conflict");
        assert_eq!(registry.tree_bytes(), tree, "{state}");

        for path in ["", "/versions", "/download", "/resolve"] {
            registry.get(&format!("{hello}{path}")).expect(200);
        }
        registry.star("team/hello", &eve).expect(200);
        registry.rate("team/hello", 3, &eve).expect(200);
        eventually("the record has the rating", || {
            (registry.tree_json("api/v1/skills/team/hello.json")["ratingCount"] == 1).then_some(())
        });
        by_ann.get(&format!("{hello}/tags")).expect(200);
        by_ann.get(&format!("{namespace}/members")).expect(200);
        by_ann.get(&format!("{namespace}/reviews")).expect(200);
        let listed = registry.read("/api/v1/skills")["total"].as_u64();
        assert_eq!(listed, Some(if state == "frozen" { 1 } else { 0 }), "{state}");
    }
    // A rejection is allowed in a frozen namespace.
    registry.decide(&ann, "reject", ("team", &other["reviewId"])).expect(200);
    status("active");
    registry.decide(&ann, "approve", ("team", &waiting["reviewId"])).expect(200);
    assert_eq!(registry.read("/api/v1/skills")["total"], 2);
    registry.command(["verify"]).ok();
}

#[test]
fn member_leaves_a_namespace_that_is_not_active() {
    let registry = Registry::start();
    let ann = registry.user("ann");
    registry.team("team", &ann);
    for (state, member, owner) in [("frozen", "bob", "eve"), ("archived", "fay", "gus")] {
        registry.as_user(&ann).put_json("/api/v1/namespaces/team", &json!({"status": "active"})).expect(200);
        let (member, owner) = (registry.user(member), registry.user(owner));
        registry.join("team", &ann, &member, "member");
        registry.join("team", &ann, &owner, "owner");
        registry.as_user(&ann).put_json("/api/v1/namespaces/team", &json!({"status": state})).expect(200);
        for user in [&member, &owner] {
            let path = format!("/api/v1/namespaces/team/members/{}", user.handle);
            registry.as_user(user).delete(&path).expect(204);
            registry.as_user(user).get("/api/v1/namespaces/team/members").problem(403, "forbidden");
        }
        registry.as_user(&ann).delete("/api/v1/namespaces/team/members/ann").problem(409, "conflict");
    }
}

#[test]
fn promotion_into_frozen_global_is_refused() {
    let registry = Registry::start();
    let (ann, admin) = (registry.user("ann"), registry.admin());
    registry.team("team", &ann);
    registry.versions("team/hello", &["1.0.0"], &ann);
    let id = registry.read(&skill_path("team/hello"))["id"].as_str().unwrap().to_owned();
    let path = format!("/api/v1/namespaces/team/skills/{id}/promote");
    let status = |status: &str| {
        registry
            .as_user(&admin)
            .put_json("/api/v1/namespaces/global", &json!({"status": status}))
            .expect(200);
    };
    let review = registry.as_user(&ann).post_json(&path, &json!({})).expect_json(201);
    status("frozen");
    registry.decide(&admin, "approve", ("global", &review["id"])).problem(409, "conflict");
    registry.decide(&admin, "reject", ("global", &review["id"])).expect(200);
    registry.as_user(&ann).post_json(&path, &json!({})).problem(409, "conflict");
    status("active");
    registry.as_user(&ann).post_json(&path, &json!({})).expect(201);
}
